import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs';

/** Lines should have at most 78 characters and must have at most 998 (RFC 5322 §2.1.1). */
const LINE_LENGTH = 76;
const ENCODED_WORD_LENGTH = 52;

/** Words of printable ASCII, separated by single spaces, each short enough for a line of its own. */
const FOLDABLE_TEXT = /^[\x21-\x7e]{1,60}(?: [\x21-\x7e]{1,60})*$/;
/** The start of an encoded word (RFC 2047). Mail clients decode it anywhere, even in quotes. */
const ENCODED_WORD_START = '=?';
const ATOMS = /^[\w ]*$/;

/** The value of an unstructured header that a mail client shows exactly as `text`. */
export const unstructuredText = (text: string): string => (isPlain(text) ? text : encodedWords(text));

/** An address with a display name. The address must have no characters that need quotes. */
export function mailbox(address: string, name = ''): string {
  if (name === '') return address;
  return `${isPlain(name) ? atomsOrQuoted(name) : encodedWords(name)} <${address}>`;
}

/** A header line, folded at the spaces of its value. */
export const headerLine = (name: string, value: string): string =>
  value.includes(' ') ? foldLines(`${name}: ${value}`, LINE_LENGTH) : `${name}: ${value}`;

/**
 * A header of the caller. ASCII stays as it is, because the header may have a syntax of its own. It is not folded at
 * several spaces, which would make a line of white space only (RFC 5322 §3.2.2); 900 bytes fit into a line.
 */
export function customHeader(name: string, value: string): string {
  const trimmed = value.trim();
  if (!/^[ -~]*$/.test(trimmed)) return headerLine(name, encodedWords(trimmed));
  return trimmed.includes('  ') ? `${name}: ${trimmed}` : headerLine(name, trimmed);
}

const isPlain = (text: string): boolean => FOLDABLE_TEXT.test(text) && !text.includes(ENCODED_WORD_START);

const atomsOrQuoted = (name: string): string =>
  ATOMS.test(name) ? name : `"${name.replace(/["\\]/g, (special) => `\\${special}`)}"`;

/** Uses base64 if most characters would take three or more in quoted-printable. */
function encodedWords(text: string): string {
  const letters = text.match(/[a-z0-9 ]/gi)?.length ?? 0;
  return encodeWord(text, letters * 2 > text.length ? 'Q' : 'B', ENCODED_WORD_LENGTH);
}
