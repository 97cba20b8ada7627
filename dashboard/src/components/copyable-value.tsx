import { CopyButton } from './copy-button';

interface Props {
  value: string;
  /** The name of the copy button. */
  label: string;
  /** Shows the value in the font of the text, as for an address. */
  isPlain?: boolean;
}

/** A short value, such as an id, with a copy button. */
export const CopyableValue = ({ value, label, isPlain = false }: Props) => (
  <span className="copyable-value">
    {isPlain ? value : <span className="mono">{value}</span>}
    <CopyButton value={value} label={label} />
  </span>
);
