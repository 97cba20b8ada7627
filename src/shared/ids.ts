import { randomFillSync } from 'node:crypto';

const TIME_LENGTH = 8;
const LAST_MILLISECOND = 36 ** TIME_LENGTH - 1;
const RANDOM_LENGTH = 16;
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Bytes from here on are discarded: they would favour the first letters of the alphabet. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** A new id: `c`, 8 base-36 characters of the time in milliseconds, 16 random ones. Ids sort by that time. */
export const newId = (now: Date): string => idPrefix(now) + randomCharacters(RANDOM_LENGTH);

/** New ids in ascending order, so that rows created together keep their order. */
export const newIds = (now: Date, count: number): string[] => Array.from({ length: count }, () => newId(now)).sort();

/**
 * The prefix of all ids created in this millisecond. It sorts before all of them and after all earlier ids. Times that
 * no id can have are clamped to the earliest (1970) and the latest (2059).
 */
export const idPrefix = (at: Date): string =>
  'c' + Math.min(Math.max(0, at.getTime()), LAST_MILLISECOND).toString(36).padStart(TIME_LENGTH, '0');

/** The smallest id that can be created in this millisecond. */
export const firstId = (at: Date): string => idPrefix(at).padEnd(1 + TIME_LENGTH + RANDOM_LENGTH, '0');

/** The time at which the id was created, to the millisecond. */
export const idTime = (id: string): Date => new Date(parseInt(id.slice(1, 1 + TIME_LENGTH), 36));

export const isId = (text: string): boolean => /^c[a-z0-9]{24}$/.test(text);

/** Random bytes are fetched in blocks: a system call per id would cost more than the rest of it. */
const pool = Buffer.alloc(4_096);
let next = pool.length;

function randomByte(): number {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  return pool.readUInt8(next++);
}

function randomCharacters(count: number): string {
  let text = '';
  while (text.length < count) {
    const byte = randomByte();
    if (byte < UNBIASED) text += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return text;
}
