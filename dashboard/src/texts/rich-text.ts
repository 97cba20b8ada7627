import { Trans } from '@lingui/react';
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';

import { isolate } from './isolate';
import type { TextId } from './text';

interface Props {
  id: TextId;
  /** Strings are shown as they are, whatever tags they contain. So a text cannot select by them. */
  values?: Record<string, ReactNode>;
  /** The elements that take the place of the text's tags, by tag name: `{ link: <Link to="…" /> }`. */
  tags?: Record<string, ReactElement>;
}

/** A text with elements in it. Without JSX, so that unit tests can import it. */
export function RichText({ id, values = {}, tags }: Props) {
  const shown = Object.entries(values).map(([name, value]) => [name, withoutTags(value)] as const);
  return createElement(Trans, { id, values: Object.fromEntries(shown), components: tags });
}

/** Lingui looks for tags when strings are in the text already; it inserts elements only then. */
const withoutTags = (value: ReactNode): ReactNode =>
  typeof value === 'string' ? createElement(Fragment, null, isolate(value)) : value;
