import type { HtmlPage } from '../../../platform/http/html-page.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { escapeHtml } from '../../../shared/text.js';
import type { OpenedLink } from '../application/open-unsubscribe-link.service.js';
import type { Preferences } from '../application/read-preferences.service.js';
import { ACTION, CHOSEN, choicesOf, EVERYTHING, SAVE, SHOWN, shownValue, TRACKING } from './preference-fields.js';

/** The texts of the pages. Values are inserted as they are: escape them, or the text. */
interface Texts {
  title: (accountName: string) => string;
  intro: (email: string) => string;
  tracking: string;
  trackingMeaning: string;
  save: string;
  saved: string;
  everything: string;
  everythingMeaning: (accountName: string) => string;
  leftTitle: (topic: string) => string;
  left: (email: string, accountName: string, topic: string) => string;
}

const TEXTS: Record<PageLanguage, Texts> = {
  en: {
    title: (accountName) => `Email from ${accountName}`,
    intro: (email) => `What may be sent to ${email}?`,
    tracking: 'Count opens and clicks',
    trackingMeaning: 'The sender sees which emails you open and which links you follow.',
    save: 'Save',
    saved: 'Your choice is saved.',
    everything: 'Unsubscribe from everything',
    everythingMeaning: (accountName) => `Then ${accountName} sends you no more email, whatever is chosen above.`,
    leftTitle: (topic) => `You are unsubscribed from ${topic}`,
    left: (email, accountName, topic) =>
      `${accountName} sends no more email about ${topic} to ${email}. You can close this page.`,
  },
  de: {
    title: (accountName) => `E-Mails von ${accountName}`,
    intro: (email) => `Was soll an ${email} gesendet werden?`,
    tracking: 'Öffnungen und Klicks zählen',
    trackingMeaning: 'Der Absender sieht, welche E-Mails Sie öffnen und welchen Links Sie folgen.',
    save: 'Speichern',
    saved: 'Ihre Auswahl ist gespeichert.',
    everything: 'Von allem abmelden',
    everythingMeaning: (accountName) =>
      `Dann sendet ${accountName} Ihnen keine E-Mails mehr, egal was oben gewählt ist.`,
    leftTitle: (topic) => `Sie sind von ${topic} abgemeldet`,
    left: (email, accountName, topic) =>
      `${accountName} sendet keine E-Mails zum Thema ${topic} mehr an ${email}. Sie können diese Seite schließen.`,
  },
};

const STYLE = `fieldset{border:0;margin:0 0 1rem;padding:0}
legend{padding:0}
.choice{display:flex;gap:.75rem;padding:.75rem 0;border-bottom:1px solid var(--line);cursor:pointer}
.choice input{flex:none;width:1.25rem;height:1.25rem;margin:.2rem 0 0;accent-color:var(--brand)}
.choice small{display:block;color:var(--dimmed);font-size:.875rem;white-space:pre-line}
.plain{background:none;color:inherit}
hr{border:0;border-top:1px solid var(--line);margin:1.5rem 0}
.saved{padding:.75rem 1rem;border:1px solid var(--line);border-left:4px solid var(--brand);border-radius:.5rem}
form p{margin:.75rem 0 0;color:var(--dimmed);font-size:.875rem}`;

/** The wording that a person agrees to by choosing it. */
export const trackingWords = (language: PageLanguage): string =>
  `${TEXTS[language].tracking}\n${TEXTS[language].trackingMeaning}`;

/** One form, which is submitted to the address of the page. Browsers must not fill in choices made on an older page. */
export function preferencePage(
  { target, account, preferences }: OpenedLink & { preferences: Preferences },
  language: PageLanguage,
  isSaved = false,
): HtmlPage {
  const texts = TEXTS[language];
  const { topics, isTracked } = preferences;
  const shown = choicesOf(preferences).map(
    ([id, isIn]) => `<input type="hidden" name="${SHOWN}" value="${shownValue(id, isIn)}">`,
  );
  const choices = [
    ...topics.map(({ topic, isSubscribed }) => choice(topic.id, isSubscribed, topic.name, topic.description)),
    ...(isTracked === null ? [] : [choice(TRACKING, isTracked, texts.tracking, texts.trackingMeaning)]),
  ];
  return {
    brand: account,
    language,
    title: texts.title(account.name),
    body: `${isSaved ? `<p class="saved" role="status">${texts.saved}</p>\n` : ''}<form method="post" autocomplete="off">
${shown.join('\n')}
<fieldset><legend>${texts.intro(escapeHtml(target.email))}</legend>
${choices.join('\n')}
</fieldset>
<button type="submit" name="${ACTION}" value="${SAVE}">${texts.save}</button>
<hr>
<button class="plain" type="submit" name="${ACTION}" value="${EVERYTHING}">${texts.everything}</button>
<p>${texts.everythingMeaning(escapeHtml(account.name))}</p>
</form>`,
    extras: { style: STYLE },
  };
}

const choice = (id: string, isIn: boolean, name: string, meaning: string): string =>
  `<label class="choice"><input type="checkbox" name="${CHOSEN}" value="${id}"${isIn ? ' checked' : ''}>
<span>${escapeHtml(name)}${meaning === '' ? '' : `<small>${escapeHtml(meaning)}</small>`}</span></label>`;

/** The page after one click, which people see only if their mail client shows it. */
export function leftTopicPage({ target, account }: OpenedLink, topic: string, language: PageLanguage): HtmlPage {
  const texts = TEXTS[language];
  const names = [target.email, account.name, topic].map(escapeHtml) as [string, string, string];
  return { brand: account, language, title: texts.leftTitle(topic), body: `<p>${texts.left(...names)}</p>` };
}
