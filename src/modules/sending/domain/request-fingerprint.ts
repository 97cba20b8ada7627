import { createHash, webcrypto } from 'node:crypto';

import type { Channel } from '../../../shared/channel.js';
import { TimeSlice } from '../../../concurrency/time-slice.js';
import { bytesOf, type GivenAttachment } from './attachment.js';

/**
 * A hash that is the same for two equal requests, regardless of the order of fields, white space and escapes in their
 * JSON. Fields that are undefined do not count.
 */
export const fingerprintOf = (channel: Channel, body: object): string =>
  createHash('sha256')
    .update(JSON.stringify([channel, inOrder(body)]))
    .digest('base64url');

/** Like `fingerprintOf`, for an e-mail. The bytes of its attachments are hashed in the thread pool. */
export async function fingerprintOfEmail(body: { attachments?: readonly GivenAttachment[] | null }): Promise<string> {
  const { attachments } = body;
  if (!attachments?.length) return fingerprintOf('email', body);
  const hashed = await Promise.all(attachments.map(async (given) => ({ ...given, content: await hashOf(given) })));
  return fingerprintOf('email', { ...body, attachments: hashed });
}

/** Like `fingerprintOf`, for a batch of messages as they are in the request. */
export async function fingerprintOfBatch(
  channel: Channel,
  { messages, mode }: { messages: readonly unknown[]; mode?: string | null },
): Promise<string> {
  const slice = new TimeSlice();
  const fingerprints: string[] = [];
  for (const message of messages) {
    const body = (typeof message === 'object' ? message : null) ?? { message };
    const isEmail = channel === 'email' && hasReadableAttachments(body);
    fingerprints.push(isEmail ? await fingerprintOfEmail(body) : fingerprintOf(channel, body));
    if (slice.isOver) await slice.next();
  }
  return fingerprintOf(channel, { mode: mode ?? 'all', messages: fingerprints });
}

function hasReadableAttachments(body: object): body is { attachments?: readonly GivenAttachment[] | null } {
  const { attachments } = body as { attachments?: unknown };
  if (attachments == null) return true;
  const isReadable = (given: unknown): boolean => {
    const content = (given as { content?: unknown } | null)?.content;
    return typeof content === 'string' || Buffer.isBuffer(content);
  };
  return Array.isArray(attachments) && attachments.every(isReadable);
}

const hashOf = async ({ content }: GivenAttachment): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytesOf(content))).toString('base64url');

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  // Each byte would count as a field: a walk through those of a large file takes seconds.
  if (Buffer.isBuffer(value)) return createHash('sha256').update(value).digest('base64url');
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, inner]) => [name, inOrder(inner)]),
  );
}
