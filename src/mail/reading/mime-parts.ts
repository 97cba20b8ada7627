import { parseHeaderValue } from 'nodemailer/lib/mime-funcs';

import { notMime } from './refusal.js';
import { type HeaderField, MAX_HEADER_BYTES, readHeaderFields, valuesOf } from './header-fields.js';

interface Entity {
  fields: readonly HeaderField[];
  /** The media type in lower case, such as `text/plain`. */
  type: string;
  params: Readonly<Record<string, string>>;
  /** The position at which the body begins. */
  start: number;
}

export interface Leaf extends Entity {
  kind: 'leaf';
  /** The position at which the body ends. */
  end: number;
}

export interface Multipart extends Entity {
  kind: 'multipart';
  parts: Part[];
}

export type Part = Leaf | Multipart;

interface Frame {
  part: Multipart;
  delimiter: string;
}

/** Mail programs nest three or four levels. */
const MAX_DEPTH = 20;
const MAX_PARTS = 1_000;
/** Limits the headers of each part and of all parts together. */
const MAX_PART_HEADERS = { each: 16_384, all: 524_288 };
const MAX_BOUNDARY_LENGTH = 200;
/** The longest line that can be a delimiter, with white space after it. */
const MAX_LINE = MAX_BOUNDARY_LENGTH + 100;
const LINE_WITH_HYPHENS = '\r\n--';

/**
 * The parts of a mail. Goes through it once, however deep it is nested. Does not look into forwarded mails
 * (message/rfc822). Throws a Refusal for a mail with malformed, too many or too deeply nested parts.
 */
export class MimeReader {
  /** Whether a multipart lacks its end: that of the mail, or of the multipart around it, takes its place. */
  isUnfinished = false;
  private readonly open: Frame[] = [];
  private leaf: Leaf | null = null;
  private count = 0;
  private partHeaderBytes = 0;
  /** The end of the header section that was read last. */
  private position = 0;

  constructor(private readonly mail: Buffer) {}

  read(): Part {
    const root = this.begin(0);
    let at = this.position - 2;
    while (this.open.length > 0) {
      const found = this.mail.indexOf(LINE_WITH_HYPHENS, at);
      if (found >= 0) at = this.passLine(found);
      else this.closeDownTo(0);
    }
    return root;
  }

  /** Begins the part at that position: a multipart opens, a leaf lasts until the next delimiter. */
  private begin(start: number): Part {
    if (++this.count > MAX_PARTS) throw notMime('it has too many parts');
    const { fields, end } = readHeaderFields(
      this.mail,
      start,
      this.count > 1 ? MAX_PART_HEADERS.each : MAX_HEADER_BYTES,
    );
    this.partHeaderBytes += this.count > 1 ? end - start : 0;
    if (this.partHeaderBytes > MAX_PART_HEADERS.all) throw notMime('its headers are too long');
    this.position = end;
    const entity = { fields, start: end, ...mediaTypeOf(fields) };
    if (!entity.type.startsWith('multipart/')) {
      this.leaf = { kind: 'leaf', ...entity, end: this.mail.length };
      return this.leaf;
    }
    const { boundary = '' } = entity.params;
    if (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH)
      throw notMime('one of its multiparts has no boundary');
    if (this.open.length >= MAX_DEPTH) throw notMime('its parts are nested too deep');
    const part: Multipart = { kind: 'multipart', ...entity, parts: [] };
    this.open.push({ part, delimiter: `--${boundary}` });
    return part;
  }

  private closeDownTo(depth: number): void {
    if (this.open.length > depth) this.isUnfinished = true;
    this.open.length = Math.min(this.open.length, depth);
  }

  /**
   * Applies the line after the CRLF at `lineEnd` if it is a delimiter. Returns the position at which to search for the
   * next one.
   */
  private passLine(lineEnd: number): number {
    const start = lineEnd + 2;
    const end = this.mail.indexOf('\r\n', start);
    const line = withoutPadding(
      this.mail.toString('latin1', start, Math.min(end < 0 ? this.mail.length : end, start + MAX_LINE)),
    );
    const depth = this.open.findLastIndex(({ delimiter }) => line === delimiter || line === `${delimiter}--`);
    const frame = this.open[depth];
    if (!frame) return start;
    this.closeDownTo(depth + 1);
    if (this.leaf) this.leaf.end = Math.max(this.leaf.start, lineEnd);
    this.leaf = null;
    if (line !== frame.delimiter) {
      this.open.pop();
      return end < 0 ? this.mail.length : end;
    }
    if (end < 0) {
      this.closeDownTo(0);
      return this.mail.length;
    }
    frame.part.parts.push(this.begin(end + 2));
    return this.position - 2;
  }
}

/** Only spaces and tabs are padding (RFC 2046 §5.1.1): with others, the recipient's reader would find other parts. */
function withoutPadding(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end -= 1;
  return line.slice(0, end);
}

/** The media type, by default plain text (RFC 2045 §5.2). Some programs give it twice. */
function mediaTypeOf(fields: readonly HeaderField[]): Pick<Entity, 'type' | 'params'> {
  const [value, ...others] = new Set(valuesOf(fields, 'content-type'));
  if (others.length > 0) throw notMime('one of its parts has several types');
  if (value === undefined) return { type: 'text/plain', params: {} };
  const { value: type, params } = parseHeaderValue(value, { stripComments: true });
  return { type: type.toLowerCase(), params };
}

/** All parts that are not multiparts. */
export const leavesOf = (part: Part): Leaf[] => (part.kind === 'leaf' ? [part] : part.parts.flatMap(leavesOf));
