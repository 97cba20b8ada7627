import { Trans } from '@lingui/react';
import type { ReactElement, ReactNode } from 'react';

import type { TextId } from './text';

interface Props {
  id: TextId;
  values?: Record<string, ReactNode>;
  /** The elements that take the place of the text's tags, by tag name: `{ link: <Link to="…" /> }`. */
  tags?: Record<string, ReactElement>;
}

/** A text with elements in it. */
export const RichText = ({ id, values, tags }: Props) => <Trans id={id} values={values} components={tags} />;
