import type { Messages } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

import type { TextSection } from './text';

/** Texts (ICU MessageFormat) as `i18n.load` takes them, named by section and key. */
export const compileTexts = (section: TextSection, texts: Readonly<Record<string, string>>): Messages =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${section}.${key}`, compileMessage(text)]));
