/** Charsets that are decoded as UTF-8: text declared as ASCII, or not declared, is often UTF-8. */
const UNDECLARED = /^(?:us-ascii|ascii|ansi_x3\.4-1968|)$/i;

/** The text of the bytes; null if the charset is unknown or the bytes are not text in it. */
export function decodeText(bytes: Uint8Array, charset: string): string | null {
  try {
    return decoderOf(charset).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Decodes the bytes as `decodeText` does, with LF as line end. Null for a text with NUL, too, which cannot be stored.
 */
export function decodeLines(bytes: Buffer, charset: string): string | null {
  const text = decodeText(bytes, charset);
  return text === null || text.includes('\0') ? null : text.replace(/\r\n?/g, '\n');
}

const decoderOf = (charset: string) => new TextDecoder(UNDECLARED.test(charset) ? 'utf-8' : charset, { fatal: true });
