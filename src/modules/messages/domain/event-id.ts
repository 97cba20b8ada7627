import { createHash } from 'node:crypto';

import { idPrefix } from '../../../shared/ids.js';

const HASH_LENGTH = 16;
const ALPHABET_SIZE = 36n;

/** The id of a fact: the time at which it occurred, and a hash of what the provider knows it by. */
export function eventId(occurredAt: Date, ...knownBy: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(knownBy)).digest('hex');
  const text = (BigInt(`0x${digest}`) % ALPHABET_SIZE ** BigInt(HASH_LENGTH)).toString(36);
  return idPrefix(occurredAt) + text.padStart(HASH_LENGTH, '0');
}
