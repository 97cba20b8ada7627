import { isBase64 } from '../../../shared/base64.js';

/** Text is decoded in pieces of about this length. */
const PIECE_LENGTH = 16_384;

/** The result for text that is not base64. */
export const NOT_BASE64 = Symbol('not base64');

/** Decodes base64 that arrives in pieces, into a part of a larger buffer. */
export class Base64Decoder {
  private pending = '';
  private isValid = true;
  private isPadded = false;
  private end: number;

  /** Writes to `target` from `start` on. Calls `overflow`, which must throw, if it does not have the space. */
  constructor(
    private readonly target: Buffer,
    private readonly start: number,
    private readonly overflow: () => never,
  ) {
    this.end = start;
  }

  write(text: string): void {
    this.pending += text;
    if (this.pending.length < PIECE_LENGTH) return;
    const length = this.pending.length - (this.pending.length % 4);
    this.decode(this.pending.slice(0, length));
    this.pending = this.pending.slice(length);
  }

  /** Returns the bytes that were written to the target. */
  finish(): Buffer | typeof NOT_BASE64 {
    this.decode(this.pending);
    return this.isValid ? this.target.subarray(this.start, this.end) : NOT_BASE64;
  }

  private decode(text: string): void {
    if (text === '') return;
    this.isValid &&= !this.isPadded && isBase64(text);
    if (!this.isValid) return;
    this.isPadded = text.endsWith('=');
    const padding = text.endsWith('==') ? 2 : this.isPadded ? 1 : 0;
    if (this.end + (text.length / 4) * 3 - padding > this.target.length) this.overflow();
    this.end += this.target.write(text, this.end, 'base64');
  }
}
