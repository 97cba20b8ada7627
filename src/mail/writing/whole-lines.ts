const LF = 0x0a;

/** Divides the same bytes into pieces that end with a line, as the signature needs them. Lines must be short. */
export async function* wholeLines(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
    const end = bytes.lastIndexOf(LF) + 1;
    if (end > 0) yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield rest;
}
