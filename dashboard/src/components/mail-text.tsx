interface Props {
  children: string;
  isSource?: boolean;
}

/** Text of a mail or a source. It scrolls, so it can get the focus: the keyboard scrolls it too. */
export const MailText = ({ children, isSource = false }: Props) => (
  <pre className={isSource ? 'mail-text mono' : 'mail-text'} tabIndex={0}>
    {children}
  </pre>
);
