export const BYTES_PER_MB = 1_048_576;

/** Zeros in memory that other threads can use, too, so that it need not be copied for them. */
export const sharedBuffer = (length: number): Buffer => Buffer.from(new SharedArrayBuffer(length));

export function sharedCopy(bytes: Buffer): Buffer {
  const shared = sharedBuffer(bytes.length);
  shared.set(bytes);
  return shared;
}
