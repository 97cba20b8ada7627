const FIRST_LENGTH = 4_096;

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** A number per index, 0 by default. A million values take a few megabytes. */
export class NumberColumn {
  private values: Numbers;

  constructor(private readonly ofLength: new (length: number) => Numbers) {
    this.values = new ofLength(FIRST_LENGTH);
  }

  get(index: number): number {
    return this.values[index] ?? 0;
  }

  set(index: number, value: number): void {
    if (index >= this.values.length) {
      const grown = new this.ofLength(Math.max(index + 1, this.values.length * 2));
      grown.set(this.values);
      this.values = grown;
    }
    this.values[index] = value;
  }
}

/** A text of at most `width` Latin-1 characters per index, empty by default. */
export class TextColumn {
  private bytes: Buffer;

  constructor(private readonly width: number) {
    this.bytes = Buffer.alloc(FIRST_LENGTH * width);
  }

  get(index: number): string {
    const start = index * this.width;
    const text = this.bytes.toString('latin1', start, Math.min(start + this.width, this.bytes.length));
    const end = text.indexOf('\0');
    return end === -1 ? text : text.slice(0, end);
  }

  set(index: number, text: string): void {
    if (text.length > this.width) throw new Error(`${text} is longer than ${this.width} characters`);
    const start = index * this.width;
    if (start + this.width > this.bytes.length) {
      const grown = Buffer.alloc(Math.max(start + this.width, this.bytes.length * 2));
      this.bytes.copy(grown);
      this.bytes = grown;
    }
    this.bytes.fill(0, start, start + this.width);
    this.bytes.write(text, start, 'latin1');
  }
}
