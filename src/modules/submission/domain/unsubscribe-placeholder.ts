import { leavesOf, type Part } from '../../../mail/reading/mime-parts.js';
import { decodeInPlace } from '../../../mail/reading/transfer-encodings.js';
import { dispositionOf, encodingOf } from '../../../mail/reading/plain-content.js';

const PLACEHOLDER = /\{\{\{? ?(?:unsubscribe|preferences)Url ?\}\}/;

export const hasPlaceholder = (text: string): boolean => PLACEHOLDER.test(text);

/** Whether a text that the mail shows has the placeholder of the unsubscribe link. */
export function showsPlaceholder(root: Part, mail: Buffer): boolean {
  for (const leaf of leavesOf(root)) {
    if (!/^text\/(?:plain|html)$/.test(leaf.type) || dispositionOf(leaf).value === 'attachment') continue;
    const encoded = mail.subarray(leaf.start, leaf.end);
    const encoding = encodingOf(leaf);
    const isEncoded = encoding === 'base64' || encoding === 'quoted-printable';
    const bytes = isEncoded ? decodeInPlace(Buffer.from(encoded), encoding) : encoded;
    if (hasPlaceholder(bytes.toString('latin1'))) return true;
  }
  return false;
}
