import type { HeaderField } from './mime/header-fields.js';

const MAX_HEADERS = 100;
const MAX_VALUE_BYTES = 8_000;
/** A line of a header can be folded only where it has spaces, and only where each of them is a single one. */
const MAX_WORD_BYTES = 900;
const NAME = /^[A-Za-z0-9_.-]{1,76}$/;

/**
 * The headers of a mail other than `owned` ones, as they came. Null if there are some that cannot be composed again:
 * repeated, too long or too many.
 */
export function customHeadersOf(
  fields: readonly HeaderField[],
  isOwned: (name: string) => boolean,
): Record<string, string> | null {
  const custom = fields.filter(({ name, value }) => value !== '' && !isOwned(name));
  const isPlain = custom.length <= MAX_HEADERS && new Set(custom.map(({ name }) => name)).size === custom.length;
  if (!isPlain || !custom.every(isComposable)) return null;
  return Object.fromEntries(custom.map(({ text, value }) => [text.slice(0, text.indexOf(':')).trim(), value]));
}

const isComposable = ({ name, value }: HeaderField): boolean =>
  NAME.test(name) &&
  !/[\0-\x08\x0a-\x1f\x7f]/.test(value) &&
  Buffer.byteLength(value) <= MAX_VALUE_BYTES &&
  (!value.includes('  ') || Buffer.byteLength(value) <= MAX_WORD_BYTES) &&
  value.split(' ').every((word) => Buffer.byteLength(word) <= MAX_WORD_BYTES);
