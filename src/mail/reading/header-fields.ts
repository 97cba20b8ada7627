import { notMime } from './refusal.js';
import { decodeText } from './charset.js';

export interface HeaderField {
  /** The name in lower case. */
  name: string;
  /** Unfolded and trimmed, with spaces for tabs. Bytes above 127 are read as UTF-8, or else as Windows-1252. */
  value: string;
  /** The field as it was received, without its last line end; one character per byte. */
  text: string;
}

export interface HeaderSection {
  fields: HeaderField[];
  /** The position at which the body begins. */
  end: number;
}

/** Limits the header section of the mail itself. */
export const MAX_HEADER_BYTES = 131_072;
const MAX_FIELDS = 1_000;
const NAME = /^([!-9;-~]+)[ \t]*:/;
const END_OF_HEADERS = '\r\n\r\n';

/**
 * Reads the header section that begins at `start`. All lines of the mail end in CRLF. Throws a
 * Refusal if there is a line that is no header.
 */
export function readHeaderFields(mail: Buffer, start = 0, maxBytes = MAX_HEADER_BYTES): HeaderSection {
  if (mail[start] === 0x0d) return { fields: [], end: start + 2 };
  const blank = mail.subarray(start, start + maxBytes).indexOf(END_OF_HEADERS);
  if (blank < 0 && mail.length - start > maxBytes) throw notMime('its headers are too long');
  const length = blank < 0 ? mail.length - start : blank;
  const lines = mail.toString('latin1', start, start + length).split(/\r\n(?![ \t])/);
  if (lines.length > MAX_FIELDS) throw notMime('it has too many headers');
  const fields = lines.filter((line) => line !== '').map(toField);
  return { fields, end: Math.min(mail.length, start + length + (blank < 0 ? 0 : END_OF_HEADERS.length)) };
}

function toField(text: string): HeaderField {
  const name = NAME.exec(text);
  if (!name?.[1]) throw notMime('one of its headers has no name');
  return { name: name[1].toLowerCase(), value: unfold(utf8Of(text.slice(name[0].length))), text };
}

/** White space around a fold stands for a single space (RFC 5322 §3.2.2); some programs fold with a tab. */
const unfold = (value: string): string =>
  value
    .split('\r\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll('\t', ' ');

/** Decodes text that has one character per byte as UTF-8, or else as Windows-1252. */
function utf8Of(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return decodeText(bytes, 'utf-8') ?? decodeText(bytes, 'windows-1252') ?? text;
}

export const valuesOf = (fields: readonly HeaderField[], name: string): string[] =>
  fields.filter((field) => field.name === name).map(({ value }) => value);
