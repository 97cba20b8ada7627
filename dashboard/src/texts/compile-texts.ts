import type { Messages } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

import type { TextSection } from './text';

/** Compiles texts (ICU MessageFormat) for `i18n.load`, named by section and key. */
export const compileTexts = (section: TextSection, texts: Readonly<Record<string, string>>): Messages =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${section}.${key}`, compileMessage(text)]));
