import { useMemo } from 'react';

import { styleNonce } from '../app/style-nonce';
import { inertMail } from './inert-mail';

/** The mail may not load resources, run scripts or submit forms. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'";

/** Renders a mail in a sandboxed frame without scripts, navigation or network access, so without remote images. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const source = useMemo(() => inertMail(html, styleNonce, POLICY), [html]);
  return <iframe title={title} sandbox="" srcDoc={source} className="mail-frame" />;
}
