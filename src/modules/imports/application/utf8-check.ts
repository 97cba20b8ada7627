import { isUtf8 } from 'node:buffer';

import { DomainError } from '../../../shared/domain-error.js';

const LINE_FEED = 0x0a;
/** The first bytes of a character that is split between chunks. */
const MAX_SPLIT_BYTES = 3;

/** Throws invalid, naming the line, as soon as the text is not UTF-8. */
export class Utf8Check {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private line = 1;
  private tail = Buffer.alloc(0);
  private isStart = true;

  add(chunk: Uint8Array): void {
    if (this.isStart && chunk.length > 0) this.refuseUtf16(chunk);
    this.decode(chunk, true);
    for (const byte of chunk) if (byte === LINE_FEED) this.line += 1;
    this.tail = Buffer.concat([this.tail, chunk]).subarray(-MAX_SPLIT_BYTES);
  }

  end(): void {
    this.decode(Buffer.alloc(0), false);
  }

  private decode(chunk: Uint8Array, stream: boolean): void {
    try {
      this.decoder.decode(chunk, { stream });
    } catch {
      throw DomainError.invalid(
        `The file is not in UTF-8: line ${this.line + this.linesBeforeFault(chunk)} cannot be read. Save it as CSV UTF-8`,
      );
    }
  }

  /** How many complete lines of the chunk come before the first one that is not UTF-8. */
  private linesBeforeFault(chunk: Uint8Array): number {
    const tail = this.tail.subarray(this.tail.lastIndexOf(LINE_FEED) + 1);
    const first = tail.findLastIndex((byte) => byte >= 0xc0);
    const split = first < 0 ? Buffer.alloc(0) : tail.subarray(first);
    const text = Buffer.concat([split, chunk]);
    for (let line = 0, start = 0; ; line++) {
      const end = text.indexOf(LINE_FEED, start);
      if (end < 0 || !isUtf8(text.subarray(start, end))) return line;
      start = end + 1;
    }
  }

  private refuseUtf16([first, second]: Uint8Array): void {
    this.isStart = false;
    if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
      throw DomainError.invalid('The file is in UTF-16: line 1 cannot be read. Save it as CSV UTF-8');
  }
}
