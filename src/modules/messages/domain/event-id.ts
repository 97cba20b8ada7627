import { createHash } from 'node:crypto';

const LENGTH = 24;
const ALPHABET_SIZE = 36n;

/** The id of a fact: a hash of what the provider knows it by. Unlike other ids it tells no time. */
export function eventId(...knownBy: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(knownBy)).digest('hex');
  return 'c' + (BigInt(`0x${digest}`) % ALPHABET_SIZE ** BigInt(LENGTH)).toString(36).padStart(LENGTH, '0');
}
