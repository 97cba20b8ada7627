import type { Database } from '../../../../platform/database/database.js';
import { jsonArray } from '../../../../platform/database/json-array.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import type { NewGroup } from '../../domain/message-group.js';
import { ACCEPT_GROUPS } from './accept-groups.sql.js';
import { ACCEPT, ACCEPT_ALL, ACCEPT_ONCE, type Locking } from './accept.sql.js';
import { type AttachmentPart, groupRow, messageRows } from './group-rows.js';
import { sweepAtOf } from './sweep-time.js';
import type { AcceptRow } from './usage-counters.js';

interface Call {
  keyLimit: number | null;
  idempotencyKey: IdempotencyKey | undefined;
}

/** With a `recipientHash`, the message is refused if its recipient is suppressed. */
export type MessageCall = Call & { message: NewMessage; recipientHash?: string | undefined };
export type GroupCall = Call & { group: NewGroup };

/** The subjects whose counters are locked, the day of these, and what happens if they are locked already. */
export interface CountedOn {
  subjects: readonly string[];
  day: string;
  locking: Locking;
}

export interface MessageRow extends AcceptRow {
  isSuppressed: boolean;
}

export interface GroupRow extends AcceptRow {
  /** Whether there was room for it before the others of its batch; null without counters. */
  fitsAlone: boolean | null;
}

/** Runs ACCEPT, or the longer ACCEPT_ONCE if it is needed. */
export async function acceptMessages(
  database: Database,
  calls: readonly MessageCall[],
  { subjects, day, locking }: CountedOn,
): Promise<MessageRow[]> {
  const [name, texts] = calls.some(({ idempotencyKey }) => idempotencyKey)
    ? ['accept_messages_once', ACCEPT_ONCE]
    : ['accept_messages', ACCEPT];
  return database.prepared<MessageRow>(nameOf(name, locking), texts[locking], [
    await jsonArray(calls.map(toRow)), // a batch may have megabytes
    subjects,
    day,
  ]);
}

/** Runs ACCEPT_ALL. */
export const acceptAll = async (
  database: Database,
  calls: readonly MessageCall[],
  { subjects, day }: Pick<CountedOn, 'subjects' | 'day'>,
): Promise<AcceptRow[]> =>
  database.prepared('accept_all_messages', ACCEPT_ALL, [await jsonArray(calls.map(toRow)), subjects, day]);

/** Runs ACCEPT_GROUPS. `parts`: of the attachments that are not stored yet. */
export async function acceptGroups(
  database: Database,
  calls: readonly GroupCall[],
  { subjects, day, locking }: CountedOn,
  parts: readonly AttachmentPart[],
): Promise<GroupRow[]> {
  let start = 1;
  const attached = parts.map(({ bytes, ...part }) => {
    const row = { ...part, start, length: bytes.length };
    start += bytes.length;
    return row;
  });
  return database.prepared<GroupRow>(nameOf('accept_groups', locking), ACCEPT_GROUPS[locking], [
    await jsonArray(calls.map(({ group, ...call }, position) => groupRow(group, { ...call, position }))),
    // With copies, a batch of 500 has 20,500 messages.
    await jsonArray(messagesOf(calls)),
    subjects,
    day,
    JSON.stringify(attached),
    Buffer.concat(parts.map(({ bytes }) => bytes)),
  ]);
}

function* messagesOf(calls: readonly GroupCall[]): Generator<object> {
  for (const [position, { group }] of calls.entries()) yield* messageRows(group, position);
}

const toRow = ({ message, keyLimit, idempotencyKey, recipientHash }: MessageCall, position: number) => ({
  ...message,
  position,
  keyLimit,
  recipientHash,
  sweepAt: sweepAtOf(message),
  ...(idempotencyKey && { idempotencyKey: idempotencyKey.key, fingerprint: idempotencyKey.fingerprint }),
});

const nameOf = (statement: string, locking: Locking): string =>
  locking === 'waitBriefly' ? statement : `${statement}_${locking}`;
