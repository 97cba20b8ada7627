import { i18n } from '@lingui/core';

import { compileTexts } from './compile-texts';
import common from './en/common.json' with { type: 'json' };
import type { TextSection } from './text';

/** Loads the common texts and those of the given sections in English, for unit tests. */
export function loadEnglish(sections: Partial<Record<TextSection, Readonly<Record<string, string>>>> = {}): void {
  for (const [section, texts] of Object.entries({ common, ...sections }))
    i18n.load('en', compileTexts(section as TextSection, texts));
  i18n.activate('en', 'en-GB');
}
