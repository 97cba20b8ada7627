import type { ContentTask } from '../../../concurrency/content-threads.js';
import { composeMail, type MailContent } from '../../../mail/writing/compose-mail.js';
import { deriveText } from '../../../mail/writing/derive-text.js';
import type { RawMail } from '../../../mail/writing/mail-content.js';
import { type DkimKey, type UnsignedHeader, unsignedHeader } from '../../../mail/writing/sign-mail.js';
import { type LinkSigning, trackHtml } from '../../tracking/content.js';

export interface Composition {
  message: MailContent;
  providerHeaders: Record<string, string> | undefined;
  /** Null if the service does not track the message itself. */
  tracking: LinkSigning | null;
  /** Null if the service does not sign the mail itself. */
  signer: Pick<DkimKey, 'domainName' | 'selector'> | null;
}

interface Composed {
  mail: RawMail;
  unsigned: UnsignedHeader | null;
}

export const COMPOSE: ContentTask<Composition, Composed> = {
  name: 'compose',
  subject: 'The mail',
  run: ({ message, providerHeaders, tracking, signer }) => {
    const mail = composeMail(tracking ? tracked(message, tracking) : message, providerHeaders);
    return { mail, unsigned: signer && unsignedHeader(mail.raw, signer, mail.rest) };
  },
};

/** Derives a missing text part before the links are rewritten, so that its links lead directly to their targets. */
function tracked(message: MailContent, signing: LinkSigning): MailContent {
  const { html, text } = message;
  if (html === null) return message;
  return { ...message, text: text ?? deriveText(html), html: trackHtml(signing, message, html) };
}
