import { type Language, LANGUAGES } from '../texts/language';

/** Not in the text files, because these may be the files that cannot be loaded. */
const TEXTS: Readonly<Record<Language, { title: string; text: string; reload: string }>> = {
  en: {
    title: 'The dashboard could not be loaded',
    text: 'The connection may have been interrupted, or the service is being updated. Reloading usually helps.',
    reload: 'Reload',
  },
  de: {
    title: 'Das Dashboard konnte nicht geladen werden',
    text: 'Möglicherweise war die Verbindung unterbrochen, oder der Dienst wird gerade aktualisiert. Meist hilft es, die Seite neu zu laden.',
    reload: 'Neu laden',
  },
};

/** Replaces a dashboard that cannot start. Needs no other file, and has the text in every language. */
export function showLoadFailure(root: HTMLElement): void {
  const page = document.createElement('main');
  page.className = 'load-failure';
  for (const language of Object.keys(LANGUAGES) as Language[]) page.append(sectionIn(language));
  root.replaceChildren(page);
}

function sectionIn(language: Language): HTMLElement {
  const { title, text, reload } = TEXTS[language];
  const section = document.createElement('section');
  section.lang = language;
  const button = element('button', reload);
  button.type = 'button';
  button.addEventListener('click', () => location.reload());
  section.append(element('h1', title), element('p', text), button);
  return section;
}

function element<Name extends 'h1' | 'p' | 'button'>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
