import { sharedBuffer } from '../../shared/bytes.js';

/** RFC 2045 §6.8: lines have at most 76 characters, which are 57 bytes. */
const BYTES_PER_LINE = 57;
const LINE_LENGTH = 76;
const [CR, LF] = Buffer.from('\r\n');

/**
 * Lines of base64, each of which ends in CRLF; a single empty line for no bytes. Parts of a file can be encoded one by
 * one if the length of each but the last is a multiple of 57. The bytes can be shared with other threads.
 */
export function encodeLines(bytes: Buffer): Buffer {
  const lines = Math.max(1, Math.ceil(bytes.length / BYTES_PER_LINE));
  const result = sharedBuffer(encodedLength(bytes.length));
  let from = 2 * lines; // each line moves forward to its place
  result.write(bytes.toString('base64'), from, 'latin1');
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const next = Math.min(from + LINE_LENGTH, result.length);
    result.copyWithin(end, from, next);
    end += next - from;
    from = next;
    result[end++] = CR ?? 0;
    result[end++] = LF ?? 0;
  }
  return result;
}

/** The length of the lines for that many bytes. */
export const encodedLength = (bytes: number): number =>
  Math.ceil(bytes / 3) * 4 + 2 * Math.max(1, Math.ceil(bytes / BYTES_PER_LINE));
