/** The languages of the dashboard, by their BCP 47 subtag, each in its own words. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGES;

const KEY = 'language';

/** The language of this page: the one that was chosen in this browser, or else the first that the browser prefers. */
export const language: Language = [read(), ...navigator.languages.map(subtagOf)].find(isLanguage) ?? 'en';

/** The locale of dates and numbers: the language with the region of the browser. */
export const locale: string = navigator.languages.find((tag) => subtagOf(tag) === language) ?? language;

/** Stores the choice for the next load of the page. Returns whether the browser stores it. */
export function rememberLanguage(chosen: Language): boolean {
  try {
    localStorage.setItem(KEY, chosen);
    return true;
  } catch {
    return false; // storage is blocked or full
  }
}

function subtagOf(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? '';
}

function isLanguage(value: string | null): value is Language {
  return value !== null && Object.hasOwn(LANGUAGES, value);
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
