import { JOB_EXPECTED_WITHIN_MS } from '../../../../config/limits.js';
import { normaliseEmail } from '../../../../shared/email-address.js';
import type { VisibleRecipients } from '../../../../shared/mail-recipients.js';
import { bodyLength } from '../../../../shared/text.js';
import type { IntakeConditions } from '../../application/ports/message-intake.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import { type AttachmentEntry, isPlain, type NewGroup, SOURCE_NUMBER } from '../../domain/message-group.js';
import { PART_BYTES } from '../groups/group-storage.js';

/** Messages of one account and key that are accepted together or not at all. */
export interface Unit {
  accountId: string;
  apiKeyId: string | null;
  /** The number of messages. */
  size: number;
  /** Characters of the bodies and bytes of the files. Copies share those of their message. */
  length: number;
  /** Whether each message has nothing but its content. */
  isPlain: boolean;
  hasKey: boolean;
  /** The rows for the statement, in which the unit has this number. */
  rows: (unit: number) => Iterable<object>;
  /** The parts of the attachments that are not stored yet. */
  parts: () => AttachmentPart[];
}

/** A row of `message_attachments`. */
interface AttachmentPart extends AttachmentEntry {
  groupId: string;
  /** Counts from 0. */
  part: number;
  bytes: Buffer;
}

type Conditions = Pick<IntakeConditions, 'keyLimit'> & Partial<IntakeConditions>;

const SOURCE = { number: SOURCE_NUMBER, filename: 'source.eml', contentType: 'message/rfc822', contentId: null };

/** Only a unit of one group has an idempotency key or a `recipientHash`. */
export function toUnit(
  { accountId, apiKeyId }: Pick<NewMessage, 'accountId' | 'apiKeyId'>,
  groups: readonly NewGroup[],
  conditions: Conditions,
): Unit {
  const areAllPlain = groups.every(isPlain);
  const size = groups.reduce((sum, { copies }) => sum + 1 + copies.length, 0);
  return {
    accountId,
    apiKeyId,
    size,
    length: groups.reduce((sum, group) => sum + bodyLength(group.message) + bytesIn(group), 0),
    isPlain: areAllPlain,
    hasKey: conditions.idempotencyKey !== undefined,
    rows: (unit) =>
      areAllPlain
        ? groups.map(({ message }, i) => messageRow(message, { unit, rest: groups.length - 1 - i }, conditions))
        : rowsOf(groups, { unit, rest: size }, conditions),
    parts: () => groups.flatMap(partsOf),
  };
}

export const bytesIn = (group: NewGroup): number => filesOf(group).reduce((sum, { bytes }) => sum + bytes.length, 0);

/** An empty attachment has one part, too. */
const partsOf = (group: NewGroup): AttachmentPart[] =>
  filesOf(group).flatMap(({ bytes, ...file }) =>
    Array.from({ length: Math.max(1, Math.ceil(bytes.length / PART_BYTES)) }, (_, part) => ({
      ...file,
      groupId: group.message.id,
      part,
      size: bytes.length,
      bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    })),
  );

const filesOf = ({ attachments, source }: NewGroup) => [
  ...(source === null ? [] : [{ ...SOURCE, bytes: source }]),
  ...attachments.map((attachment, i) => ({ ...attachment, number: i + 1 })),
];

/** The unit of a message, and the number of messages of the unit after this one. */
interface Place {
  unit: number;
  rest: number;
}

const messageRow = (message: NewMessage, { unit, rest }: Place, conditions: Conditions) => ({
  ...message,
  unit,
  rest,
  keyLimit: conditions.keyLimit,
  recipientHash: conditions.recipientHash,
  sweepAt: sweepAtOf(message),
  ...keyColumns(conditions.idempotencyKey),
});

const keyColumns = (key: IdempotencyKey | undefined) =>
  key && { idempotencyKey: key.key, fingerprint: key.fingerprint };

/** Yields one row at a time: with copies, a batch has up to 20,500. */
function* rowsOf(groups: readonly NewGroup[], place: Place, conditions: Conditions): Generator<object> {
  for (const group of groups)
    for (const row of groupRows(group, place, conditions)) {
      place.rest -= 1;
      yield { ...row, rest: place.rest };
    }
}

function* groupRows(group: NewGroup, place: Place, conditions: Conditions): Generator<object> {
  const { message, role, copies, tags, metadata, resentFrom, linkToken, headers, visible } = group;
  const groupId = copies.length > 0 || role !== 'to' ? message.id : null;
  const shared = { tags, metadata, resentFrom, groupId };
  yield {
    ...{ ...messageRow(message, place, conditions), ...shared, role: groupId && role, contents: 1 + copies.length },
    ...{ linkToken, headers, visible: visible && withNormalised(visible) },
    ...{ hasAttachments: filesOf(group).length > 0, fileBytes: bytesIn(group) },
  };
  // The bodies are passed once, with the first message, and count there.
  const copied = { ...message, html: null, text: null };
  for (const { idempotencyKey, ...copy } of copies)
    yield {
      ...messageRow({ ...copied, ...copy }, place, { keyLimit: conditions.keyLimit, idempotencyKey }),
      ...{ ...shared, role: copy.role, linkToken: copy.linkToken, contents: 0 },
    };
}

/** The time when the sweep looks at a new message: a scheduled one has no job before its time. */
const sweepAtOf = ({ scheduledAt, createdAt }: Pick<NewMessage, 'scheduledAt' | 'createdAt'>): Date =>
  scheduledAt ?? new Date(createdAt.getTime() + JOB_EXPECTED_WITHIN_MS);

/** An erased recipient is found by the normalised address. */
const withNormalised = ({ to, cc, ...more }: VisibleRecipients) => {
  const normalised = (list: VisibleRecipients['to']) =>
    list.map((visible) => ({ ...visible, normalised: normaliseEmail(visible.email) }));
  return { ...more, to: normalised(to), cc: normalised(cc) };
};
