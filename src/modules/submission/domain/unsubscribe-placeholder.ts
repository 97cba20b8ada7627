import { TimeSlice } from '../../../shared/time-slice.js';
import { leavesOf, type Part } from './mime/mime-parts.js';
import { decodeInPlace } from './mime/transfer-encodings.js';
import { dispositionOf, encodingOf } from './plain-content.js';

const PLACEHOLDER = /\{\{\{? ?unsubscribeUrl ?\}\}/;
const PLACEHOLDER_LENGTH = 21;
const WINDOW = 65_536;

export const hasPlaceholder = (text: string): boolean => PLACEHOLDER.test(text);

/** Whether a text that the mail shows has the placeholder of the unsubscribe link. */
export async function showsPlaceholder(root: Part, mail: Buffer): Promise<boolean> {
  const slice = new TimeSlice();
  for (const leaf of leavesOf(root)) {
    if (slice.isOver) await slice.next();
    if (!/^text\/(?:plain|html)$/.test(leaf.type) || dispositionOf(leaf).value === 'attachment') continue;
    const encoded = mail.subarray(leaf.start, leaf.end);
    const encoding = encodingOf(leaf);
    const isEncoded = encoding === 'base64' || encoding === 'quoted-printable';
    const bytes = isEncoded ? await decodeInPlace(Buffer.from(encoded), encoding) : encoded;
    for (let start = 0; start < bytes.length; start += WINDOW) {
      if (slice.isOver) await slice.next();
      if (hasPlaceholder(bytes.toString('latin1', start, start + WINDOW + PLACEHOLDER_LENGTH))) return true;
    }
  }
  return false;
}
