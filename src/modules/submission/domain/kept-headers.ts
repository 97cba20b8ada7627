import { isNotPassedOn } from '../../../shared/control-headers.js';
import { asciiAddresses, hasAddresses, NON_ASCII } from '../../../mail/reading/ascii-field.js';
import { decodeWords } from '../../../mail/reading/encoded-words.js';
import type { HeaderField } from '../../../mail/reading/header-fields.js';

/** Headers that the service sets itself, also in a mail that is sent as it came. */
const REPLACED = /^(?:from|to|cc|message-id)$/;
const MAX_HEADERS = 100;
const MAX_VALUE_BYTES = 8_000;
/** A line of a header can be folded only where it has spaces, and only where each of them is a single one. */
const MAX_WORD_BYTES = 900;
const NAME = /^[A-Za-z0-9_.-]{1,76}$/;

export const isReplaced = (name: string): boolean => REPLACED.test(name) || isNotPassedOn(name);

export const isListUnsubscribe = (name: string): boolean => /^list-unsubscribe(?:-post)?$/.test(name);

/**
 * The headers of a mail that are kept: neither replaced nor `owned`. Null if there are some that cannot be composed
 * again: repeated with different values, too long or too many. Throws a Refusal for an address that needs SMTPUTF8.
 */
export function keptHeadersOf(
  fields: readonly HeaderField[],
  isOwned: (name: string) => boolean,
): Record<string, string> | null {
  const given = fields.filter(({ name, value }) => value !== '' && !isReplaced(name) && !isOwned(name));
  const kept = [...new Map(given.map((field) => [`${field.name}: ${field.value}`, field])).values()];
  const isPlain = kept.length <= MAX_HEADERS && new Set(kept.map(({ name }) => name)).size === kept.length;
  const entries = isPlain ? kept.map(entryOf) : [null];
  const composable = entries.filter((entry) => entry !== null);
  return composable.length === entries.length ? Object.fromEntries(composable) : null;
}

/** Null if it cannot be composed. */
function entryOf(field: HeaderField): [name: string, value: string] | null {
  const value = composedValue(field);
  const name = field.text.slice(0, field.text.indexOf(':')).trim();
  return value !== null && isComposable({ name, value }) ? [name, value] : null;
}

/** Other characters than ASCII are encoded later, with all of the value; addresses must not be. */
function composedValue({ name, value }: HeaderField): string | null {
  if (!NON_ASCII.test(value)) return value;
  return hasAddresses(name) ? asciiAddresses(name, value) : decodeWords(value);
}

const isComposable = ({ name, value }: Pick<HeaderField, 'name' | 'value'>): boolean =>
  NAME.test(name) &&
  !/[\0-\x08\x0a-\x1f\x7f]/.test(value) &&
  Buffer.byteLength(value) <= MAX_VALUE_BYTES &&
  (!value.includes('  ') || Buffer.byteLength(value) <= MAX_WORD_BYTES) &&
  value.split(' ').every((word) => Buffer.byteLength(word) <= MAX_WORD_BYTES);
