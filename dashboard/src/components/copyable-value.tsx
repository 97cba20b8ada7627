import type { ReactNode } from 'react';

import { CopyButton } from './copy-button';

interface Props {
  value: string;
  /** The name of the copy button. */
  label: string;
  /** Shown instead of the value in a monospaced font. */
  children?: ReactNode;
}

/** A short value, such as an id, with a copy button. */
export const CopyableValue = ({ value, label, children }: Props) => (
  <span className="copyable-value">
    {children ?? <span className="mono">{value}</span>}
    <CopyButton value={value} label={label} />
  </span>
);
