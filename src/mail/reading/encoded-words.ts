import { decodeQuotedPrintable } from './transfer-encodings.js';
import { decodeText } from './charset.js';

interface Word {
  charset: string;
  encoding: string;
  content: string;
}

/** Spaces and question marks are not allowed in the content (RFC 2047 §5), but usual, and mail programs decode them. */
const WORD = /=\?([^?*\s]{1,40})(?:\*[^?\s]{0,40})?\?([BbQq])\?((?:[^=?]|=(?!\?(?!=))|\?(?!=))*)\?=/g;
const START = /=\?[^?\s]+\?[BbQq]\?/;
const END = '?=';
/** Longer values with encoded words are not decoded. */
const MAX_LENGTH = 20_000;

/**
 * The text of a header with encoded words (RFC 2047); null if one of them cannot be decoded, or if the rest still has
 * something that a mail program may take for one.
 */
export function decodeWords(value: string): string | null {
  if (!value.includes('=?')) return value;
  if (value.length > MAX_LENGTH) return null;
  const texts = joinWords(partsOf(value)).map((part) => (typeof part === 'string' ? literal(part) : decodeWord(part)));
  return texts.includes(null) ? null : texts.join('');
}

/** The value divided into encoded words and the texts between them. */
export const splitWords = (value: string): string[] =>
  partsOf(value).map((part) => (typeof part === 'string' ? part : part.text));

/** White space between two encoded words is not shown (RFC 2047 §6.2). */
function partsOf(value: string): (string | (Word & { text: string }))[] {
  const parts = [];
  let end = 0;
  for (const { 0: text, 1: charset = '', 2: encoding = '', 3: content = '', index } of value.matchAll(WORD)) {
    const between = value.slice(end, index);
    if (end === 0 ? between !== '' : between.trim() !== '') parts.push(between);
    parts.push({ charset: charset.toLowerCase(), encoding: encoding.toUpperCase(), content, text });
    end = index + text.length;
  }
  return end < value.length ? [...parts, value.slice(end)] : parts;
}

/** Some programs split a character of several bytes between two words: words of one kind are decoded together. */
function joinWords(parts: readonly (string | Word)[]): (string | Word)[] {
  const joined: (string | Word)[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part !== 'string' && typeof last === 'object' && isContinued(last, part))
      joined[joined.length - 1] = { ...last, content: last.content + part.content };
    else joined.push(part);
  }
  return joined;
}

function isContinued({ charset, encoding, content }: Word, next: Word): boolean {
  const isPadded = encoding === 'B' && content.endsWith('=');
  return charset === next.charset && encoding === next.encoding && !isPadded;
}

function literal(text: string): string | null {
  const start = START.exec(text);
  return start && text.includes(END, start.index + start[0].length) ? null : text;
}

/** The bytes of the word. Characters outside ASCII are not allowed in it; they stand for themselves. */
function decodeWord({ charset, encoding, content }: Word): string | null {
  const texts = content
    .split(/([^\0-\x7f]+)/)
    .map((part, i) => (i % 2 === 1 ? part : decodeText(bytesOf(part, encoding), charset)));
  return texts.includes(null) ? null : texts.join('');
}

const bytesOf = (content: string, encoding: string): Buffer =>
  encoding === 'B'
    ? Buffer.from(content, 'base64')
    : decodeQuotedPrintable(Buffer.from(content.replaceAll('_', ' '), 'latin1'));
