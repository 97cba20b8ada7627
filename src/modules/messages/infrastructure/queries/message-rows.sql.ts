import { propertiesOf, selectList } from '../../../../platform/database/columns.js';
import type { Parameters } from '../../../../platform/database/parameters.js';
import { idPrefix } from '../../../../shared/ids.js';
import type { MessageSlice } from '../../application/ports/message-reader.js';
import type { MessageFilter } from '../../domain/message-filter.js';
import { MESSAGE_STATUSES, type MessageLog, type MessageStatus } from '../../domain/message-log.js';
import { MessageLogSchema } from '../message-log.schema.js';

/** Sorts after every id. */
const END = 'd';

/** A message that is `queued` in the log is `sending` while it is leased. In all these statements $1 is the account. */
export const LEASED = `m.id = ANY (ARRAY(
    SELECT p.message_id FROM pending_deliveries p WHERE p.account_id = $1 AND p.lease_ends_at IS NOT NULL))`;

const STATUS = `CASE WHEN m.status = 'queued' AND ${LEASED} THEN 'sending' ELSE m.status END AS status`;

/** Selects a MessageLog from rows called `m`. */
export const MESSAGE_COLUMNS = `
  ${selectList(
    MessageLogSchema,
    'm',
    propertiesOf(MessageLogSchema).filter((property) => property !== 'status'),
  )},
  ${STATUS}`;

/** $1 account, $2 message ids, $3 the key that must have sent them, or null. */
export const STATUSES = `
  SELECT m.id, ${STATUS} FROM message_logs m
  WHERE m.account_id = $1 AND m.id = ANY ($2) AND ($3::text IS NULL OR m.api_key_id = $3)`;

const HAS_STATUS = Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, hasStatus(status)])) as Record<
  MessageStatus,
  string
>;

function hasStatus(status: MessageStatus): string {
  if (status === 'queued') return `m.status = 'queued' AND NOT (${LEASED})`;
  if (status === 'sending') return `m.status = 'queued' AND ${LEASED}`;
  return `m.status = '${status}'`;
}

export const hasStatusIn = (statuses: MessageFilter['statuses']): string =>
  statuses ? `(${statuses.map((status) => HAS_STATUS[status]).join(' OR ')})` : 'true';

export interface IdRange {
  from: string;
  /** Exclusive. */
  end: string;
}

export function idRange({ from, before }: Pick<MessageFilter, 'from' | 'before'>, beforeId: string | null): IdRange {
  const ends = [beforeId ?? END, before ? idPrefix(before) : END];
  return { from: from ? idPrefix(from) : '', end: ends.sort()[0] ?? END };
}

export const inRange = (parameters: Parameters, { from, end }: IdRange, column = 'm.id'): string =>
  `${column} >= ${parameters.add(from)} AND ${column} < ${parameters.add(end)}`;

/** Leased messages are due, so none of these is `sending`. */
const IS_SCHEDULED = `m.status = 'queued' AND m.scheduled_at > now()`;

/**
 * Condition on the account and the filter's key, channel, tag, topic and schedule. The channel is a literal: SMS have a
 * partial index.
 */
export const matchesCaller = (
  parameters: Parameters,
  { apiKeyId, channel, tag, topicId, scheduled }: MessageFilter,
): string =>
  [
    'm.account_id = $1',
    ...(apiKeyId === null ? [] : [`m.api_key_id = ${parameters.add(apiKeyId)}`]),
    ...(channel === null ? [] : [`m.channel = '${channel}'`]),
    ...(tag === null ? [] : [`m.tags @> ARRAY[${parameters.add(tag)}::text]`]),
    ...(topicId === null ? [] : [`m.topic_id = ${parameters.add(topicId)}`]),
    ...(scheduled ? [IS_SCHEDULED] : []),
  ].join(' AND ');

/**
 * The newest messages of a caller in a range, ignoring the search text. Each status has its own index range, so a rare
 * one is found as fast as a frequent one.
 */
export function newest(parameters: Parameters, filter: MessageFilter, range: IdRange, limit: number): string {
  const where = `${matchesCaller(parameters, filter)} AND ${inRange(parameters, range)}`;
  const first = `ORDER BY m.id DESC LIMIT ${parameters.add(limit)}`;
  // The index of topics has the status before the id, too.
  const statuses = filter.statuses ?? (filter.topicId === null ? null : MESSAGE_STATUSES);
  if (!statuses) return `SELECT * FROM message_logs m WHERE ${where} ${first}`;
  const perStatus = statuses.map(
    (status) => `(SELECT * FROM message_logs m WHERE ${where} AND ${HAS_STATUS[status]} ${first})`,
  );
  return `SELECT * FROM (${perStatus.join(' UNION ALL ')}) m ${first}`;
}

/** `rows` has one more than the limit if the list continues. */
export function toSlice(rows: MessageLog[], limit: number): MessageSlice {
  const items = rows.slice(0, limit);
  return { items, resumeBefore: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
