import { Trans } from '@lingui/react';
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';

import { isolate } from './isolate';
import type { TextId } from './text';

interface Props {
  id: TextId;
  /** Strings are inserted as elements: tags in them are not parsed, and the text cannot use them for `select`. */
  values?: Record<string, ReactNode>;
  /** The elements that take the place of the text's tags, by tag name: `{ link: <Link to="…" /> }`. */
  tags?: Record<string, ReactElement>;
}

/** A text that contains elements. Written without JSX, so that unit tests can import it. */
export function RichText({ id, values = {}, tags }: Props) {
  const shown = Object.entries(values).map(([name, value]) => [name, withoutTags(value)] as const);
  return createElement(Trans, { id, values: Object.fromEntries(shown), components: tags });
}

/** Lingui looks for tags when strings are in the text already; it inserts elements only then. */
const withoutTags = (value: ReactNode): ReactNode =>
  typeof value === 'string' ? createElement(Fragment, null, isolate(value)) : value;
