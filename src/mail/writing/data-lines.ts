/** Follows the last line of a mail (RFC 5321 §4.1.1.4). */
export const END_OF_DATA = Buffer.from('.\r\n');

/** A dot at the beginning of a line, or a CR or LF on its own. */
const NEEDS_CHANGE = /(?:^|\n)\.|(?<!\r)\n|\r(?!\n)/;

/**
 * Whole lines of a mail as they follow DATA: each ends in CRLF, and a dot at its beginning is doubled (RFC 5321
 * §4.5.2). A CR or LF on its own becomes a CRLF, because some relays would take it for the end of a line, and a line of
 * one dot for the end of the mail.
 */
export function toDataLines(lines: Buffer): Buffer {
  const text = lines.toString('latin1');
  if (!NEEDS_CHANGE.test(text)) return lines;
  return Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n').replace(/(?<=^|\n)\./g, '..'), 'latin1');
}

/** Cuts a mail into pieces of about that size, each of which ends in CRLF, if the mail does. */
export function* linePieces(mail: Buffer, size: number): Generator<Buffer, void> {
  for (let start = 0; start < mail.length;) {
    const lineEnd = mail.indexOf('\r\n', start + size);
    const end = lineEnd === -1 ? mail.length : lineEnd + 2;
    yield mail.subarray(start, end);
    start = end;
  }
}
