import { Base64Decoder, NOT_BASE64 } from './base64-decoder.js';

/** A path in JSON: the name of a field, or null for each entry of a list. */
export type JsonPath = readonly (string | null)[];

interface ScannerOptions {
  /** The path at which base64 strings are decoded. */
  path: JsonPath;
  /** Receives the decoded bytes. */
  target: Buffer;
  /** The maximum number of bytes without the decoded strings. */
  maxRest: number;
  /** Called when the target is full or `maxRest` is exceeded. Both must throw. */
  onOverflow: () => never;
  onLargeRest: () => never;
}

/** The maximum length of a name in a path, escapes included. */
const MAX_NAME_LENGTH = 200;
const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = Buffer.from('"\\:,{}[]');
/** The length of `uXXXX`, without the backslash. */
const UNICODE_ESCAPE_LENGTH = 5;

/**
 * Reads JSON piece by piece and decodes the strings at one path. In the text that remains, each of them is replaced by
 * its number in `contents`. Faults of the syntax are left to the parser of that text.
 */
export class BodyScanner {
  readonly contents: (Buffer | typeof NOT_BASE64)[] = [];
  private readonly rest: Buffer[] = [];
  private restLength = 0;
  private used = 0;
  private depth = 0;
  /** The names of the open fields by depth, up to that of the path; null for a list. */
  private readonly names: (string | null)[] = [];
  private expectsName = false;
  private inString = false;
  private isEscaped = false;
  /** The name that is being read, with its escapes; null if there is none or it is too long. */
  private name: string | null = null;
  /** The string that is being decoded. */
  private decoder: Base64Decoder | null = null;
  /** The characters after a backslash in that string so far. */
  private escape: string | null = null;

  constructor(private readonly options: ScannerOptions) {}

  write(chunk: Buffer): void {
    let start = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.decoder) {
        at = this.decode(chunk, at, this.decoder);
        start = at;
      } else if (this.scan(chunk, at)) {
        this.keep(chunk.subarray(start, at + 1));
        at += 1;
        start = at;
      } else at += 1;
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  /** The text without the decoded strings. Call it after the last piece. */
  finish(): Buffer {
    return Buffer.concat(this.rest);
  }

  /** Returns whether a string to be decoded begins after this byte. */
  private scan(chunk: Buffer, at: number): boolean {
    const byte = chunk[at];
    if (this.inString) this.scanString(byte);
    else if (byte === QUOTE) return this.beginString();
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.open(byte === OPEN_BRACE);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.close();
    else if (byte === COLON) this.expectsName = false;
    else if (byte === COMMA) this.expectsName = this.names[this.depth - 1] !== null;
    return false;
  }

  private open(isObject: boolean): void {
    this.depth += 1;
    if (this.depth <= this.options.path.length) this.names[this.depth - 1] = isObject ? '' : null;
    this.expectsName = isObject;
  }

  private close(): void {
    this.depth = Math.max(0, this.depth - 1);
    this.expectsName = false;
  }

  private beginString(): boolean {
    if (!this.expectsName && this.isAtPath()) {
      this.decoder = new Base64Decoder(this.options.target, this.used, this.options.onOverflow);
      return true;
    }
    this.inString = true;
    this.name = this.expectsName && this.depth <= this.options.path.length ? '' : null;
    return false;
  }

  private isAtPath(): boolean {
    const { path } = this.options;
    return this.depth === path.length && path.every((name, i) => this.names[i] === name);
  }

  private scanString(byte = 0): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) {
      this.inString = false;
      if (this.name !== null) this.names[this.depth - 1] = unescaped(this.name);
      return;
    }
    if (this.name === null) return;
    this.name = this.name.length < MAX_NAME_LENGTH ? this.name + String.fromCharCode(byte) : null;
    if (this.name === null) this.names[this.depth - 1] = '';
  }

  /** Returns the position at which it stopped: after the string, or at the end of the piece. */
  private decode(chunk: Buffer, from: number, decoder: Base64Decoder): number {
    let at = from;
    const escapes = new NextByte(chunk, BACKSLASH);
    const quotes = new NextByte(chunk, QUOTE);
    while (at < chunk.length) {
      if (this.escape !== null) {
        at = this.readEscape(chunk, at, decoder);
        continue;
      }
      const quote = quotes.from(at);
      const end = Math.min(quote, escapes.from(at));
      if (end > at) decoder.write(chunk.toString('latin1', at, end));
      if (end === chunk.length) return end;
      at = end + 1;
      if (end === quote) {
        this.endContent(decoder);
        return at;
      }
      this.escape = '';
    }
    return at;
  }

  private readEscape(chunk: Buffer, at: number, decoder: Base64Decoder): number {
    const read = `${this.escape ?? ''}${chunk.toString('latin1', at, at + 1)}`;
    const isUnicode = read.startsWith('u');
    const isComplete = !isUnicode || read.length === UNICODE_ESCAPE_LENGTH;
    if (isComplete)
      decoder.write(isUnicode ? String.fromCharCode(parseInt(read.slice(1), 16)) : read === '/' ? '/' : '\0');
    this.escape = isComplete ? null : read;
    return at + 1;
  }

  private endContent(decoder: Base64Decoder): void {
    const content = decoder.finish();
    if (content !== NOT_BASE64) this.used += content.length;
    this.keep(Buffer.from(`${this.contents.length}"`));
    this.contents.push(content);
    this.decoder = null;
  }

  private keep(part: Buffer): void {
    this.restLength += part.length;
    if (this.restLength > this.options.maxRest) this.options.onLargeRest();
    // A small part must not keep the whole chunk in memory.
    this.rest.push(part.length * 2 < part.buffer.byteLength ? Buffer.from(part) : part);
  }
}

/** Finds a byte with few searches, if the positions that are asked for ascend. */
class NextByte {
  private found = -1;

  constructor(
    private readonly chunk: Buffer,
    private readonly byte = 0,
  ) {}

  /** Returns the length of the piece if there is none. */
  from(at: number): number {
    if (this.found < at) {
      const found = this.chunk.indexOf(this.byte, at);
      this.found = found < 0 ? this.chunk.length : found;
    }
    return this.found;
  }
}

function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return JSON.parse(`"${name}"`) as string;
  } catch {
    return ''; // the parser reports it
  }
}
