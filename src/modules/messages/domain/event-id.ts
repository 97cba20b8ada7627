import { createHash } from 'node:crypto';

const LENGTH = 24;
const ALPHABET_SIZE = 36n;

/** Identifies repeated reports of the same event: a hash of the provider's identifiers. Not the id of the event. */
export function eventId(...knownBy: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(knownBy)).digest('hex');
  return 'c' + (BigInt(`0x${digest}`) % ALPHABET_SIZE ** BigInt(LENGTH)).toString(36).padStart(LENGTH, '0');
}
