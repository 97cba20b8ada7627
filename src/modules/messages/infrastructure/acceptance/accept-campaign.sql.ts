import { columnNames, recordColumns } from '../../../../platform/database/columns.js';
import type { MessageLog } from '../../domain/message-log.js';
import { MessageLogSchema } from '../message-log.schema.js';

/** The columns that differ between the messages of a campaign. */
const OWN_FIELDS = [
  'id',
  'createdAt',
  'recipient',
  'normalisedRecipient',
  'contactId',
  'subject',
] as const satisfies readonly (keyof MessageLog)[];
const COMMON_FIELDS = [
  'accountId',
  'campaignId',
  'sender',
  'senderName',
  'replyTo',
] as const satisfies readonly (keyof MessageLog)[];

/**
 * Counts the messages of a campaign under the account's cap and stores them, in one statement. $1: the messages as a
 * JSON array, $2 the UTC day, $3 account, $4 campaign, $5 sender, $6 its name, $7 Reply-To, $8 the message ids,
 * repeated so that only their partitions are read, $9 now, $10 when the sweep enqueues those that have no job. Returns
 * one row per message, in order; `outcome` is null if the account or its counter is gone.
 *
 * The counter is locked first and then read, like in ACCEPT, so that concurrent statements together never exceed the
 * cap. A message that a concurrent statement stored after this one began is found by the constraint. It was ranked, so
 * messages over the cap must then be tried again.
 */
export const ACCEPT_CAMPAIGN = `
  WITH incoming AS (
    SELECT * FROM json_to_recordset($1::json) AS m (
      position integer, ${recordColumns(MessageLogSchema, OWN_FIELDS)}, placeholders jsonb, "unsubscribeUrl" text,
      "isSuppressed" boolean)
  ), counter AS (
    SELECT used FROM daily_usage WHERE subject_id = $3 AND day = $2 FOR UPDATE
  ), room AS (
    SELECT (a.daily_send_cap::bigint * a.campaign_cap_share / 100)::integer - c.used AS messages
    FROM accounts a CROSS JOIN counter c WHERE a.id = $3
  ), stored AS (
    SELECT m.id FROM message_logs m WHERE m.id = ANY($8)
  ), ranked AS (
    SELECT i.*, row_number() OVER (ORDER BY i.position) AS rank
    FROM incoming i WHERE NOT i."isSuppressed" AND NOT EXISTS (SELECT FROM stored s WHERE s.id = i.id)
  ), within_cap AS (
    SELECT r.* FROM ranked r JOIN room ON r.rank <= room.messages
  ), log AS (
    INSERT INTO message_logs (${columnNames(MessageLogSchema, [...COMMON_FIELDS, ...OWN_FIELDS])}, channel, status)
    SELECT $3, $4, $5, $6, $7, ${OWN_FIELDS.map((field) => `"${field}"`).join(', ')}, 'email', 'queued'
    FROM within_cap ORDER BY id
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  ), accepted AS (
    SELECT w.* FROM within_cap w JOIN log USING (id)
  ), counted AS (
    UPDATE daily_usage u SET used = u.used + added.count
    FROM (SELECT count(*) FROM log) added
    WHERE u.subject_id = $3 AND u.day = $2
  ), content AS (
    INSERT INTO message_contents (message_id, placeholders, unsubscribe_url)
    SELECT id, placeholders, "unsubscribeUrl" FROM accepted
  ), pending AS (
    INSERT INTO pending_deliveries
      (message_id, account_id, channel, campaign_id, accepted_at, next_attempt_at, sweep_at)
    SELECT id, $3, 'email', $4, $9::timestamptz, '-infinity', $10::timestamptz FROM accepted
  )
  SELECT CASE
      WHEN a.id IS NOT NULL THEN 'accepted'
      WHEN s.id IS NOT NULL THEN 'duplicate'
      WHEN i."isSuppressed" THEN 'suppressed'
      WHEN room.messages IS NULL THEN NULL
      WHEN w.id IS NOT NULL THEN 'duplicate'
      ELSE 'over_cap' END AS outcome
  FROM incoming i
  LEFT JOIN room ON true
  LEFT JOIN stored s ON s.id = i.id
  LEFT JOIN within_cap w ON w.position = i.position
  LEFT JOIN accepted a ON a.position = i.position
  ORDER BY i.position`;

/** $1 account, $2 campaign, $3 now, $4 how many of the postponed ones to count at most. */
export const COUNT_PENDING = `
  SELECT count(*)::integer AS due, (
      SELECT count(*)::integer FROM (
        SELECT FROM pending_deliveries WHERE account_id = $1 AND campaign_id = $2 AND next_attempt_at > $3 LIMIT $4
      ) counted
    ) AS postponed
  FROM pending_deliveries WHERE account_id = $1 AND campaign_id = $2 AND next_attempt_at <= $3`;

/** $1 account, $2 campaign, $3 the id after which to begin, $4 the limit, $5 the last id. */
export const FIND_FAILED = `
  SELECT m.id FROM message_logs m
  WHERE m.account_id = $1 AND m.campaign_id = $2 AND m.status = 'failed' AND m.id > $3 AND m.id <= $5
  ORDER BY m.id LIMIT $4`;
