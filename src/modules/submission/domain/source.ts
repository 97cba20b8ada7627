import { isReplaced } from './kept-headers.js';
import { asciiField } from '../../../mail/reading/ascii-field.js';
import type { Part } from '../../../mail/reading/mime-parts.js';
import { Refusal } from '../../../mail/reading/refusal.js';

/** RFC 5321 §4.5.3.1.6: relays break longer lines, or refuse them. */
const MAX_LINE_BYTES = 998;

/**
 * The mail as it is sent below the headers of the service: without those that it replaces, and without `removed` ones.
 * The others are in ASCII. Changes the beginning of `mail`, so that the rest needs no copy, unless encoded headers do
 * not fit there. Throws a Refusal for a mail that a relay could not pass on.
 */
export function sourceOf(
  mail: Buffer,
  { fields, start: bodyStart }: Part,
  longestLine: number,
  removed: (name: string) => boolean,
): Buffer {
  if (longestLine > MAX_LINE_BYTES) throw new Refusal(554, `The mail has a line of more than ${MAX_LINE_BYTES} bytes`);
  const kept = fields.filter(({ name }) => !isReplaced(name) && !removed(name));
  const header = [...kept.map(asciiField), '', ''].join('\r\n');
  const start = bodyStart - header.length;
  if (start < 0) return Buffer.concat([Buffer.from(header, 'latin1'), mail.subarray(bodyStart)]);
  mail.write(header, start, 'latin1');
  return mail.subarray(start);
}
