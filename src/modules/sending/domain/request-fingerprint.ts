import { createHash } from 'node:crypto';

import type { Channel } from '../../../shared/channel.js';

/**
 * The same for two requests that say the same: whatever the order of their fields, their white space and how their
 * characters were escaped. What a field that was left out says is not looked at.
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
