import type { IdempotencyKey } from '../../domain/idempotency.js';
import type { AttachmentEntry, NewGroup } from '../../domain/message-group.js';
import { PART_BYTES } from '../groups/group-storage.js';
import { sweepAtOf } from './sweep-time.js';

/** A row of `message_attachments`. */
export interface AttachmentPart extends AttachmentEntry {
  /** The position of the group in the statement. */
  group: number;
  /** From 0. */
  part: number;
  bytes: Buffer;
}

interface GroupCall {
  position: number;
  keyLimit: number | null;
  idempotencyKey: IdempotencyKey | undefined;
}

export const bytesIn = ({ attachments }: NewGroup): number =>
  attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** An empty attachment has one part, too. */
export const partsOf = ({ attachments }: NewGroup, group: number): AttachmentPart[] =>
  attachments.flatMap(({ bytes, ...attachment }, i) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes.length / PART_BYTES)) }, (_, part) => ({
      ...attachment,
      group,
      number: i + 1,
      part,
      size: bytes.length,
      bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    })),
  );

/** What the messages of the group have in common. */
export function groupRow(group: NewGroup, { position, keyLimit, idempotencyKey }: GroupCall) {
  const { message, copies, linkToken, headers, attachments } = group;
  const { id, accountId, apiKeyId, createdAt, html, text } = message;
  return {
    ...{ position, size: 1 + copies.length, id, accountId, apiKeyId, keyLimit, createdAt, html, text },
    ...{ linkToken, headers, hasAttachments: attachments.length > 0 },
    sweepAt: sweepAtOf(message),
    ...(idempotencyKey && { idempotencyKey: idempotencyKey.key, fingerprint: idempotencyKey.fingerprint }),
  };
}

export function messageRows({ message, copies, tags, metadata, resentFrom }: NewGroup, group: number) {
  // The bodies are passed once, with the group.
  const common = { ...message, html: undefined, text: undefined, group, tags, metadata, resentFrom };
  if (copies.length === 0) return [common];
  const groupId = message.id;
  return [{ ...common, role: 'to', groupId }, ...copies.map((copy) => ({ ...common, ...copy, groupId }))];
}
