import { createHash } from 'node:crypto';

import type { Channel } from '../../../shared/channel.js';

/**
 * A hash that is the same for two equal requests, regardless of the order of fields, white space and escapes in their
 * JSON. Fields that are undefined do not count.
 */
export const fingerprintOf = (channel: Channel, body: object): string =>
  createHash('sha256')
    .update(JSON.stringify([channel, inOrder(body)]))
    .digest('base64url');

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, inner]) => [name, inOrder(inner)]),
  );
}
