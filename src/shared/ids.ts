import { randomFillSync } from 'node:crypto';

const TIME_LENGTH = 8;
const LAST_MILLISECOND = 36 ** TIME_LENGTH - 1;
const RANDOM_LENGTH = 16;
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Bytes from here on would favour the first letters of the alphabet. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** A new id: `c`, 8 base-36 characters of the millisecond clock, 16 random ones. Ids sort by time (to the millisecond). */
export const newId = (now: Date): string => idPrefix(now) + randomCharacters(RANDOM_LENGTH);

/** So many new ids, each sorting before the next: what is made together keeps its order. */
export const newIds = (now: Date, count: number): string[] => Array.from({ length: count }, () => newId(now)).sort();

/**
 * What every id made in this millisecond begins with; sorts before all of them and after all earlier ones. Times that no
 * id can have, before 1970 and after 2059, stand for the first and the last that one can.
 */
export const idPrefix = (at: Date): string =>
  'c' + Math.min(Math.max(0, at.getTime()), LAST_MILLISECOND).toString(36).padStart(TIME_LENGTH, '0');

/** When the id was made, to the millisecond. */
export const idTime = (id: string): Date => new Date(parseInt(id.slice(1, 1 + TIME_LENGTH), 36));

export const isId = (text: string): boolean => /^c[a-z0-9]{24}$/.test(text);

/** Taken from the system in larger portions: one call for each id would cost more than the id. */
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
