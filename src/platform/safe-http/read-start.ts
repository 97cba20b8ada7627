const MAX_BYTES = 65_536;
const KEPT_BYTES = 1_024;

/**
 * The first kilobyte of a body as text that any column can hold: at most 1,024 bytes of UTF-8, without NUL. Reads to the
 * end, so that the connection can be used again, but no further than 64 kB: whatever is longer is cut off there, and its
 * connection closed.
 */
export async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const start: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (bytes < KEPT_BYTES) start.push(chunk.subarray(0, KEPT_BYTES - bytes));
    bytes += chunk.length;
    if (bytes > MAX_BYTES) break;
  }
  const isCut = bytes > KEPT_BYTES;
  // As a stream, a character that is cut at the end is left out.
  const text = new TextDecoder().decode(Buffer.concat(start), { stream: isCut }).replaceAll('\0', '\ufffd');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(KEPT_BYTES));
  return text.slice(0, read);
}
