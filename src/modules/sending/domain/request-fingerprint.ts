import { createHash, webcrypto } from 'node:crypto';

import type { Channel } from '../../../shared/channel.js';
import { bytesOf, type GivenAttachment } from './attachment.js';

/**
 * A hash that is the same for two equal requests, regardless of the order of fields, white space and escapes in their
 * JSON. Fields that are undefined do not count.
 */
export const fingerprintOf = (channel: Channel, body: object): string =>
  createHash('sha256')
    .update(JSON.stringify([channel, inOrder(body)]))
    .digest('base64url');

/** The same for an e-mail. The bytes of its attachments are hashed in the thread pool. */
export async function fingerprintOfEmail(body: { attachments?: readonly GivenAttachment[] | null }): Promise<string> {
  const { attachments } = body;
  if (!attachments?.length) return fingerprintOf('email', body);
  const hashed = await Promise.all(attachments.map(async (given) => ({ ...given, content: await hashOf(given) })));
  return fingerprintOf('email', { ...body, attachments: hashed });
}

const hashOf = async ({ content }: GivenAttachment): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytesOf(content))).toString('base64url');

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, inner]) => [name, inOrder(inner)]),
  );
}
