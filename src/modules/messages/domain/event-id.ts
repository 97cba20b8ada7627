import { createHash } from 'node:crypto';

const LENGTH = 24;
const ALPHABET_SIZE = 36n;

/** The key of a fact, which tells repeated reports of it: a hash of what the provider knows it by. The id of its event is another. */
export function eventId(...knownBy: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(knownBy)).digest('hex');
  return 'c' + (BigInt(`0x${digest}`) % ALPHABET_SIZE ** BigInt(LENGTH)).toString(36).padStart(LENGTH, '0');
}
