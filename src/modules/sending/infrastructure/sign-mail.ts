import { buffer } from 'node:stream/consumers';

import DKIM from 'nodemailer/lib/dkim';

import type { SigningKey } from '../../domains/index.js';

/** RFC 6376 §5.4.1, and List-Unsubscribe-Post: RFC 8058 §4 wants both unsubscribe headers signed. */
const SIGNED_HEADERS = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':');

/** The mail with a DKIM signature in front. */
export function signMail(raw: Buffer, { domainName, selector, privateKey }: SigningKey): Promise<Buffer> {
  const signer = new DKIM({ domainName, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS });
  return buffer(signer.sign(raw));
}
