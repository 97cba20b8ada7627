/** A body that is kept as it arrives, in one buffer: to join megabytes at the end would block the event loop. */
export class WholeBody {
  private readonly bytes: Buffer;
  private length = 0;

  constructor(maxLength: number) {
    this.bytes = Buffer.allocUnsafeSlow(maxLength);
  }

  write(chunk: Buffer): void {
    this.length += chunk.copy(this.bytes, this.length);
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}
