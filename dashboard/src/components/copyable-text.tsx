import './copyable-text.css';

import { CopyButton } from './copy-button';
import { MailText } from './mail-text';

interface Props {
  children: string;
  /** The name of the copy button. */
  label: string;
  isSource?: boolean;
}

export const CopyableText = ({ children, label, isSource }: Props) => (
  <div className="copyable">
    <MailText isSource={isSource}>{children}</MailText>
    <CopyButton value={children} label={label} />
  </div>
);
