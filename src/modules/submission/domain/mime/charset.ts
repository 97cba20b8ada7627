import { TimeSlice } from '../../../../shared/time-slice.js';

/** ASCII in practice is often UTF-8, which declares nothing. */
const UNDECLARED = /^(?:us-ascii|ascii|ansi_x3\.4-1968|)$/i;
const SLICE_MS = 5;
const SLICE_BYTES = 65_536;

/** The text of the bytes; null if the charset is unknown or the bytes are not text in it. */
export function decodeText(bytes: Uint8Array, charset: string): string | null {
  try {
    return decoderOf(charset).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * The same for long texts, with LF as line end: yields to the event loop meanwhile. Null for a text with NUL, too,
 * which cannot be stored.
 */
export async function decodeLines(bytes: Buffer, charset: string): Promise<string | null> {
  const slice = new TimeSlice(SLICE_MS);
  try {
    const decoder = decoderOf(charset);
    let [text, rest] = ['', ''];
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      if (slice.isOver) await slice.next();
      const end = start + SLICE_BYTES;
      const decoded = rest + decoder.decode(bytes.subarray(start, end), { stream: end < bytes.length });
      if (decoded.includes('\0')) return null;
      // A CR at the end may be half a line end.
      rest = end < bytes.length && decoded.endsWith('\r') ? '\r' : '';
      text += decoded.slice(0, decoded.length - rest.length).replace(/\r\n?/g, '\n');
    }
    return text;
  } catch {
    return null;
  }
}

const decoderOf = (charset: string) => new TextDecoder(UNDECLARED.test(charset) ? 'utf-8' : charset, { fatal: true });
