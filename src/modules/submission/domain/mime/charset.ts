/** ASCII in practice is often UTF-8, which declares nothing. */
const UNDECLARED = /^(?:us-ascii|ascii|ansi_x3\.4-1968|)$/i;

/** The text of the bytes; null if the charset is unknown or the bytes are not text in it. */
export function decodeText(bytes: Uint8Array, charset: string): string | null {
  try {
    return new TextDecoder(UNDECLARED.test(charset) ? 'utf-8' : charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
