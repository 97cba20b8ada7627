import { i18n, type Messages } from '@lingui/core';

import { language, locale } from './language';
import type { TextSection } from './text';

/** One chunk for each language and section. */
const FILES = import.meta.glob<Messages>('./*/*.json', { import: 'default' });

document.documentElement.lang = language;
i18n.activate(language, locale);

export async function loadTexts(section: TextSection): Promise<void> {
  const load = FILES[`./${language}/${section}.json`];
  if (!load) throw new Error(`No texts of ${section} in ${language}`);
  i18n.load(language, await load());
}
