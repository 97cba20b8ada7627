import { useMemo } from 'react';

import { styleNonce } from '../app/style-nonce';
import { inertMail } from './inert-mail';

/** Nothing is fetched, run or sent from within the mail. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'";

/** A mail's HTML as its reader sees it, save for pictures from elsewhere: a sandbox without scripts, network and links. */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const source = useMemo(() => inertMail(html, styleNonce, POLICY), [html]);
  return <iframe title={title} sandbox="" srcDoc={source} className="mail-frame" />;
}
