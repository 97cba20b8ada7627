import type { Parameters } from '../../../platform/database/parameters.js';
import { idPrefix } from '../../../shared/ids.js';
import type { MessageFilter } from '../domain/message-filter.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../domain/message-log.js';

/** After every id. */
const END = 'd';

/** What is `queued` in the log is `sending` while a worker has leased it. $1 is the account, in all these statements. */
export const LEASED = `m.id = ANY (ARRAY(
    SELECT p.message_id FROM pending_deliveries p WHERE p.account_id = $1 AND p.lease_ends_at IS NOT NULL))`;

/** A MessageLog, of rows called `m`. */
export const MESSAGE_COLUMNS = `
  m.id, m.account_id AS "accountId", m.channel,
  CASE WHEN m.status = 'queued' AND ${LEASED} THEN 'sending' ELSE m.status END AS status,
  m.recipient, m.normalised_recipient AS "normalisedRecipient", m.sender, m.sender_name AS "senderName",
  m.reply_to AS "replyTo", m.subject, m.template_id AS "templateId", m.provider,
  m.provider_message_id AS "providerMessageId", m.api_key_id AS "apiKeyId", m.contact_id AS "contactId",
  m.campaign_id AS "campaignId", m.segments, m.encoding, m.opens, m.clicks, m.error, m.created_at AS "createdAt",
  m.sent_at AS "sentAt"`;

const HAS_STATUS = Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, hasStatus(status)])) as Record<
  MessageStatus,
  string
>;

function hasStatus(status: MessageStatus): string {
  if (status === 'queued') return `m.status = 'queued' AND NOT (${LEASED})`;
  if (status === 'sending') return `m.status = 'queued' AND ${LEASED}`;
  return `m.status = '${status}'`;
}

export const hasOneOf = (statuses: MessageFilter['statuses']): string =>
  statuses ? `(${statuses.map((status) => HAS_STATUS[status]).join(' OR ')})` : 'true';

/** Ids from one on, up to another that is not among them. */
export interface IdRange {
  from: string;
  end: string;
}

export function idRange({ from, before }: Pick<MessageFilter, 'from' | 'before'>, beforeId: string | null): IdRange {
  const ends = [beforeId ?? END, before ? idPrefix(before) : END];
  return { from: from ? idPrefix(from) : '', end: ends.sort()[0] ?? END };
}

export const inRange = (parameters: Parameters, { from, end }: IdRange, column = 'm.id'): string =>
  `${column} >= ${parameters.add(from)} AND ${column} < ${parameters.add(end)}`;

/** Of the account, and of the key and the channel where the filter names them. The channel is spelt out: SMS have an index. */
export const ofCaller = (parameters: Parameters, { apiKeyId, channel }: MessageFilter): string =>
  [
    'm.account_id = $1',
    ...(apiKeyId === null ? [] : [`m.api_key_id = ${parameters.add(apiKeyId)}`]),
    ...(channel === null ? [] : [`m.channel = '${channel}'`]),
  ].join(' AND ');

/**
 * The newest messages of a caller in a range, without regard to the searched text. Each status is read from its own
 * place in the index, so that a rare one is found as fast as a frequent one.
 */
export function newest(parameters: Parameters, filter: MessageFilter, range: IdRange, limit: number): string {
  const where = `${ofCaller(parameters, filter)} AND ${inRange(parameters, range)}`;
  const first = `ORDER BY m.id DESC LIMIT ${parameters.add(limit)}`;
  if (!filter.statuses) return `SELECT * FROM message_logs m WHERE ${where} ${first}`;
  const perStatus = filter.statuses.map(
    (status) => `(SELECT * FROM message_logs m WHERE ${where} AND ${HAS_STATUS[status]} ${first})`,
  );
  return `SELECT * FROM (${perStatus.join(' UNION ALL ')}) m ${first}`;
}
