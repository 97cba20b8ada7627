import { normaliseEmail } from '../../../../shared/email-address.js';
import type { VisibleRecipients } from '../../../../shared/mail-recipients.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import { type AttachmentEntry, type NewCopy, type NewGroup, SOURCE_NUMBER } from '../../domain/message-group.js';
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

const SOURCE = { number: SOURCE_NUMBER, filename: 'source.eml', contentType: 'message/rfc822', contentId: null };

const filesOf = ({ attachments, source }: NewGroup) => [
  ...(source === null ? [] : [{ ...SOURCE, bytes: source }]),
  ...attachments.map((attachment, i) => ({ ...attachment, number: i + 1 })),
];

export const bytesIn = (group: NewGroup): number => filesOf(group).reduce((sum, { bytes }) => sum + bytes.length, 0);

/** An empty attachment has one part, too. */
export const partsOf = (newGroup: NewGroup, group: number): AttachmentPart[] =>
  filesOf(newGroup).flatMap(({ bytes, ...file }) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes.length / PART_BYTES)) }, (_, part) => ({
      ...file,
      group,
      part,
      size: bytes.length,
      bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    })),
  );

/** What the messages of the group have in common. */
export function groupRow(group: NewGroup, { position, keyLimit, idempotencyKey }: GroupCall) {
  const { message, copies, linkToken, headers, visible } = group;
  const { id, accountId, apiKeyId, createdAt, html, text } = message;
  return {
    ...{ position, size: 1 + copies.length, id, accountId, apiKeyId, keyLimit, createdAt, html, text },
    ...{ linkToken, headers, visible: visible && withNormalised(visible), hasAttachments: filesOf(group).length > 0 },
    sweepAt: sweepAtOf(message),
    ...(idempotencyKey && { idempotencyKey: idempotencyKey.key, fingerprint: idempotencyKey.fingerprint }),
  };
}

/** An erased recipient is found by the normalised address. */
const withNormalised = ({ to, cc, ...more }: VisibleRecipients) => {
  const normalised = (list: VisibleRecipients['to']) =>
    list.map((visible) => ({ ...visible, normalised: normaliseEmail(visible.email) }));
  return { ...more, to: normalised(to), cc: normalised(cc) };
};

export function messageRows({ message, role, copies, tags, metadata, resentFrom }: NewGroup, group: number) {
  // The bodies are passed once, with the group.
  const common = { ...message, html: undefined, text: undefined, group, tags, metadata, resentFrom };
  if (copies.length === 0 && role === 'to') return [common];
  const groupId = message.id;
  const toRow = ({ idempotencyKey, ...copy }: NewCopy) => ({
    ...{ ...common, ...copy, groupId },
    ...(idempotencyKey && { idempotencyKey: idempotencyKey.key, fingerprint: idempotencyKey.fingerprint }),
  });
  return [{ ...common, role, groupId }, ...copies.map(toRow)];
}
