import { decodeQuotedPrintable } from './transfer-encodings.js';
import { decodeText } from './charset.js';

const WORD = /=\?([\w-]+)(?:\*[\w-]*)?\?([BbQq])\?([^? ]*)\?=/g;
/** White space between two encoded words is not shown (RFC 2047 §6.2). */
const BETWEEN = /(=\?[^?\s]+\?[BbQq]\?[^? ]*\?=)[ \t]+(?==\?[^?\s]+\?[BbQq]\?[^? ]*\?=)/g;

const ENCODED_END = '?=';
/** Of a value with encoded words. */
const MAX_LENGTH = 20_000;

/** The text of a header with encoded words (RFC 2047); null if one of them cannot be decoded. */
export function decodeWords(value: string): string | null {
  if (!value.includes('=?')) return value;
  if (value.length > MAX_LENGTH) return null;
  let faults = 0;
  const decoded = joinSplit(value.replace(BETWEEN, '$1')).replace(
    WORD,
    (_, charset: string, encoding: string, content: string) => {
      const bytes =
        encoding.toUpperCase() === 'B'
          ? Buffer.from(content, 'base64')
          : decodeQuotedPrintable(Buffer.from(content.replaceAll('_', ' '), 'latin1'));
      const text = decodeText(bytes, charset);
      if (text === null) faults += 1;
      return text ?? '';
    },
  );
  return faults === 0 ? decoded : null;
}

/** Some programs split a character of several bytes between two words: words of one kind are decoded together. */
function joinSplit(value: string): string {
  const words = value.replace(/\?=(?==\?)/g, '?=\0').split('\0');
  const starts = words.map((word, i) => joinedStart(words[i - 1] ?? '', word));
  return words.map((word, i) => word.slice(starts[i], starts[i + 1] ? -ENCODED_END.length : undefined)).join('');
}

/** The length of what begins the encoded word if it continues the one before; otherwise 0. */
function joinedStart(before: string, word: string): number {
  const last = /=\?([\w-]+)\?([BbQq])\?([^? ]*)\?=$/.exec(before);
  const next = /^=\?([\w-]+)\?([BbQq])\?/.exec(word);
  if (!last || !next) return 0;
  const [, charset = '', encoding = '', content = ''] = last;
  const [start, nextCharset = '', nextEncoding = ''] = next;
  const isSameKind = `${charset}?${encoding}`.toLowerCase() === `${nextCharset}?${nextEncoding}`.toLowerCase();
  const isPadded = /b/i.test(encoding) && content.includes('=');
  return isSameKind && !isPadded ? start.length : 0;
}
