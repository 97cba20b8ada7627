import { DELIVERY_LEASE_MS } from '../../../../config/limits.js';
import { insertLists, selectList } from '../../../../platform/database/columns.js';
import { hasExpired, leaseEnd } from '../../../../platform/database/lease.sql.js';
import { listParameter } from '../../../../platform/database/list-parameter.sql.js';
import { MAX_CLAIMED_BYTES } from '../../domain/delivery.js';
import { STATUS_RANKS } from '../../domain/event-rules.js';
import { CLAIMED_FIELDS } from '../../domain/message-log.js';
import { EmailEventSchema } from '../email-event.schema.js';
import { inFeedOf } from '../feed/feed-position.sql.js';
import { MessageLogSchema } from '../message-log.schema.js';
import { countCampaignEvents } from '../timeline/campaign-activity.sql.js';
import { rankOf } from '../timeline/status.sql.js';

const MAX_RELEASED_AT_A_TIME = 5_000;

/** Retries that are due within this time are claimed: the clocks of two hosts may differ by as much. */
const CLOCK_DIFFERENCE = `interval '5 seconds'`;

const LEASE_END = leaseEnd(DELIVERY_LEASE_MS);

/** The event of an expired lease, from a row of `claimed`. The parameters are those of CLAIM. */
const LOST_WORKER = insertLists(EmailEventSchema, {
  ...inFeedOf('$3'),
  messageId: 'message_id',
  id: 'claim_id',
  type: `'delayed'`,
  occurredAt: '$4',
  data: `jsonb_build_object('reason', 'worker_lost', 'attempt', attempts - 1)`,
});

/**
 * $1 message ids, $2 new claim ids, $3 the account, $4 now, $5 the same if the clock of the database is steady. The
 * claim id doubles as the id of the event that records an expired lease. The ids are repeated as `ANY($1)` so that only
 * the partitions that contain them are read. The lease is what makes a message `sending`; the log is only read. A
 * message that an event has moved on, because the provider accepted it after all, is not sent again. A scheduled
 * message is never claimed before its time by the clock of the database, which is the same for all processes. Long
 * texts are left out: up to 50 messages share a claim, and the driver reads its result in one go. PostgreSQL knows the
 * size of a text without reading it.
 */
export const CLAIM = `
  WITH wanted AS (
    SELECT * FROM unnest($1::text[], $2::text[]) AS w (message_id, claim_id)
  ), due AS (
    SELECT p.message_id, w.claim_id, p.lease_ends_at IS NOT NULL AS was_leased, m.status = 'queued' AS is_queued
    FROM pending_deliveries p JOIN wanted w ON w.message_id = p.message_id
    JOIN message_logs m ON m.id = p.message_id AND m.id = ANY($1)
    WHERE p.account_id = $3 AND p.next_attempt_at <= $4::timestamptz + ${CLOCK_DIFFERENCE}
      AND (p.lease_ends_at IS NULL OR ${hasExpired('p.lease_ends_at', '$5')})
      AND (p.scheduled_at IS NULL OR p.scheduled_at <= now())
    ORDER BY p.message_id
    FOR UPDATE OF p SKIP LOCKED
  ), finished AS (
    DELETE FROM pending_deliveries p USING due WHERE p.message_id = due.message_id AND NOT due.is_queued
  ), claimed AS (
    UPDATE pending_deliveries p
    SET claim_id = due.claim_id, lease_ends_at = ${LEASE_END}, sweep_at = ${LEASE_END}, scheduled_at = NULL, attempts = p.attempts + 1
    FROM due WHERE p.message_id = due.message_id AND due.is_queued
    RETURNING p.message_id, p.claim_id, p.attempts, p.accepted_at, due.was_leased
  ), lost_workers AS (
    INSERT INTO email_events (${LOST_WORKER.columns})
    SELECT ${LOST_WORKER.values} FROM claimed WHERE was_leased
  )
  SELECT ${selectList(MessageLogSchema, 'm', CLAIMED_FIELDS)},
    c.claim_id AS "claimId", c.attempts AS attempt,
    greatest(coalesce(c.accepted_at, m.created_at), m.scheduled_at) AS "acceptedAt",
    CASE WHEN s.bytes <= ${MAX_CLAIMED_BYTES} THEN b.html END AS html,
    CASE WHEN s.bytes <= ${MAX_CLAIMED_BYTES} THEN b.text END AS text,
    CASE WHEN s.bytes <= ${MAX_CLAIMED_BYTES} THEN 0 ELSE s.bytes END AS "unreadBytes",
    b.unsubscribe_url AS "unsubscribeUrl", b.placeholders, b.headers, b.visible,
    b.has_attachments AS "hasAttachments"
  FROM claimed c JOIN message_logs m ON m.id = c.message_id AND m.id = ANY($1)
  LEFT JOIN message_contents b ON b.message_id = m.id AND b.message_id = ANY($1)
  CROSS JOIN LATERAL (SELECT coalesce(octet_length(b.html), 0) + coalesce(octet_length(b.text), 0) AS bytes) s`;

/** $1 message id. */
export const TEXTS = `SELECT html, text FROM message_contents WHERE message_id = $1`;

/**
 * $1 message ids, $2 their claim ids. Returns the claims that still hold, and which of them are not renewed because the
 * message is locked: the statement is for many accounts and waits for none.
 */
export const RENEW = `
  WITH claims AS (
    SELECT p.message_id, p.claim_id
    FROM pending_deliveries p JOIN unnest($1::text[], $2::text[]) AS c (message_id, claim_id)
      ON p.message_id = c.message_id AND p.claim_id = c.claim_id
  ), held AS MATERIALIZED (
    SELECT p.message_id
    FROM pending_deliveries p JOIN unnest($1::text[], $2::text[]) AS c (message_id, claim_id)
      ON p.message_id = c.message_id AND p.claim_id = c.claim_id
    FOR UPDATE OF p SKIP LOCKED
  ), renewed AS (
    UPDATE pending_deliveries p SET lease_ends_at = ${LEASE_END}, sweep_at = ${LEASE_END}
    FROM held WHERE p.message_id = held.message_id
  )
  SELECT c.claim_id AS "claimId", h.message_id IS NULL AS "isLocked"
  FROM claims c LEFT JOIN held h ON h.message_id = c.message_id`;

/** The event of an outcome `h`. */
const OUTCOME = insertLists(EmailEventSchema, {
  ...inFeedOf('h.account_id'),
  messageId: 'h."messageId"',
  id: 'h."eventId"',
  type: 'h."eventType"',
  occurredAt: 'h.at',
  data: 'h.data',
});

const IDS = listParameter('$2');

const CLAIMED = `pending_deliveries p JOIN outcomes o ON p.message_id = o."messageId" AND p.claim_id = o."claimId"`;

/** An outcome with its account, and the attempts that it leaves counted. */
const COUNTED = `o.*, p.account_id, p.attempts - coalesce(o."uncountedAttempts", 0) AS attempts`;

/** Locks the outcomes' messages, and returns in `held` those outcomes whose messages are still claimed. */
const HELD = `held AS (
    SELECT ${COUNTED} FROM ${CLAIMED} WHERE p.message_id = ANY (${IDS}) ORDER BY p.message_id FOR UPDATE OF p
  )`;

/** Like HELD, without outcomes of locked messages. A message may have left the log. */
const HELD_UNLESS_LOCKED = `logs AS MATERIALIZED (
    SELECT m.id FROM message_logs m WHERE m.id = ANY (${IDS}) FOR NO KEY UPDATE SKIP LOCKED
  ), locked_logs AS MATERIALIZED (
    SELECT m.id FROM message_logs m LEFT JOIN logs l ON l.id = m.id WHERE m.id = ANY (${IDS}) AND l.id IS NULL
  ), held AS (
    SELECT ${COUNTED} FROM ${CLAIMED}
    WHERE p.message_id = ANY (${IDS}) AND p.message_id <> ALL (ARRAY(SELECT id FROM locked_logs))
    FOR UPDATE OF p SKIP LOCKED
  )`;

/** Whether the message of the outcome `h` is not queued any more, once the outcome is recorded. */
const HAS_MOVED_ON = `EXISTS (SELECT FROM recorded r WHERE r.id = h."messageId" AND r.status <> 'queued')`;

/**
 * $1: the outcomes as a JSON array, $2: their message ids. Returns the claims that still held, and which of them are
 * not recorded because the message is locked. STATUS_RANKS says which status an outcome replaces. A message that is
 * released, suppressed or canceled before any attempt gets that status: an event that came while it was claimed was not
 * about it. A failed attempt is not repeated if an event has moved the message on, because the provider accepted it.
 */
const recordOutcomes = (held: string) => `
  WITH outcomes AS (
    SELECT * FROM json_to_recordset($1::json) AS o (
      "messageId" text, "claimId" text, status text, provider text, "providerMessageId" text, error text,
      at timestamptz, "nextAttemptAt" timestamptz, "scheduledAt" timestamptz, "uncountedAttempts" smallint,
      "eventId" text, "eventType" text, data jsonb)
  ), ${held}, recorded AS (
    UPDATE message_logs m
    SET status = CASE
        WHEN m.status = 'queued' OR h.attempts = 0 THEN h.status
        WHEN h.status = 'bounced' AND ${rankOf('m.status')} < ${STATUS_RANKS.bounced} THEN h.status
        ELSE m.status END,
      provider = coalesce(h.provider, m.provider),
      provider_message_id = coalesce(h."providerMessageId", m.provider_message_id),
      error = CASE WHEN h.status <> 'queued' THEN h.error WHEN m.status = 'queued' THEN coalesce(h.error, m.error)
        ELSE m.error END,
      scheduled_at = coalesce(h."scheduledAt", m.scheduled_at),
      sent_at = CASE WHEN h.status = 'sent' THEN h.at ELSE m.sent_at END
    FROM held h WHERE m.id = h."messageId" AND m.id = ANY (${IDS})
    RETURNING m.id, m.account_id, m.campaign_id, m.recipient, m.contact_id, m.clicks, m.status, h.status AS outcome, h.at
  ), finished AS (
    DELETE FROM pending_deliveries p USING held h
    WHERE p.message_id = h."messageId" AND (h."nextAttemptAt" IS NULL OR ${HAS_MOVED_ON})
  ), rescheduled AS (
    UPDATE pending_deliveries p
    SET next_attempt_at = h."nextAttemptAt", sweep_at = h."nextAttemptAt", claim_id = NULL, lease_ends_at = NULL,
      scheduled_at = h."scheduledAt", attempts = h.attempts
    FROM held h WHERE p.message_id = h."messageId" AND h."nextAttemptAt" IS NOT NULL AND NOT ${HAS_MOVED_ON}
  ), events AS (
    INSERT INTO email_events (${OUTCOME.columns})
    SELECT ${OUTCOME.values} FROM held h WHERE h."eventType" IS NOT NULL
  ), activity AS (${countCampaignEvents(
    `SELECT account_id, campaign_id, at AS occurred_at, outcome AS type FROM recorded WHERE outcome = 'sent'`,
  )}
  )
  SELECT p.message_id AS id, p.claim_id AS "claimId", h."messageId" IS NULL AS "isLocked", r.recipient,
    r.contact_id AS "contactId", r.campaign_id AS "campaignId", r.clicks > 0 AND r.outcome = 'sent' AS "maybeScanned"
  FROM ${CLAIMED}
  LEFT JOIN held h ON h."messageId" = p.message_id
  LEFT JOIN recorded r ON r.id = p.message_id
  WHERE p.message_id = ANY (${IDS})`;

/** Records outcomes of many accounts: waits for no locked message. */
export const RECORD = recordOutcomes(HELD_UNLESS_LOCKED);

/** Records one outcome: waits until its message is not locked. */
export const RECORD_WITHIN = recordOutcomes(HELD);

/** $1 account, $2 message ids, $3 until when. */
export const POSTPONE = `
  UPDATE pending_deliveries p SET next_attempt_at = $3, sweep_at = $3
  FROM (
    SELECT message_id FROM pending_deliveries
    WHERE account_id = $1 AND message_id = ANY($2) AND lease_ends_at IS NULL AND scheduled_at IS NULL
      AND next_attempt_at < $3
    ORDER BY message_id FOR UPDATE SKIP LOCKED
  ) idle
  WHERE p.message_id = idle.message_id`;

/** `laneOf` in SQL. */
const LANE = `CASE WHEN p.campaign_id IS NOT NULL THEN 'bulk' WHEN p.is_bulk_sms THEN 'bulk_sms' ELSE p.channel END`;

/** $1 now, $2 when they become overdue again, $3 the limit. */
const takeOverdue = (lane: string) => `
  UPDATE pending_deliveries p SET sweep_at = $2
  FROM (
    SELECT message_id FROM pending_deliveries WHERE sweep_at <= $1 AND scheduled_at IS NULL AND ${lane}
    ORDER BY sweep_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ) overdue
  WHERE p.message_id = overdue.message_id
  RETURNING p.message_id AS "messageId", p.account_id AS "accountId", ${LANE} AS lane`;

export const TAKE_OVERDUE = {
  bulk: takeOverdue('campaign_id IS NOT NULL'),
  others: takeOverdue('campaign_id IS NULL'),
};

/**
 * $1 now. Makes the messages due that were held while their campaign was paused, and is not any more: at most
 * MAX_RELEASED_AT_A_TIME of each. The campaigns are read one by one from the index of these messages, so that the cost
 * does not grow with the number of messages; those of campaigns that are still paused are not locked either. They count
 * as accepted now: a pause may have taken longer than a message may be postponed.
 */
export const RELEASE_HELD = `
  WITH RECURSIVE held (account_id, campaign_id) AS (
    (SELECT p.account_id, p.campaign_id FROM pending_deliveries p
      WHERE p.sweep_at = 'infinity' AND p.campaign_id IS NOT NULL ORDER BY p.account_id, p.campaign_id LIMIT 1)
    UNION ALL
    SELECT next.account_id, next.campaign_id FROM held h CROSS JOIN LATERAL (
      SELECT p.account_id, p.campaign_id FROM pending_deliveries p
      WHERE p.sweep_at = 'infinity' AND p.campaign_id IS NOT NULL
        AND (p.account_id, p.campaign_id) > (h.account_id, h.campaign_id)
      ORDER BY p.account_id, p.campaign_id LIMIT 1) next
  ), released AS MATERIALIZED (
    SELECT account_id, campaign_id FROM held h
    WHERE NOT EXISTS (
      SELECT FROM campaigns c WHERE c.account_id = h.account_id AND c.id = h.campaign_id AND c.status = 'paused')
  ), due AS (
    SELECT d.message_id FROM released r CROSS JOIN LATERAL (
      SELECT p.message_id FROM pending_deliveries p
      WHERE p.account_id = r.account_id AND p.campaign_id = r.campaign_id AND p.sweep_at = 'infinity'
      LIMIT ${MAX_RELEASED_AT_A_TIME} FOR UPDATE SKIP LOCKED) d
  )
  UPDATE pending_deliveries p SET next_attempt_at = $1, sweep_at = $1, accepted_at = $1
  WHERE p.message_id = ANY (ARRAY(SELECT message_id FROM due))`;

/**
 * Accounts with messages that wait for their scheduled time, read one by one from the index of these. None if no
 * message is due at the time, which costs a look at another index.
 */
const schedulingAccounts = (time: string) => `
  first (scheduled_at) AS MATERIALIZED (
    SELECT min(scheduled_at AT TIME ZONE 'UTC') FROM pending_deliveries WHERE scheduled_at IS NOT NULL
  ), accounts (account_id) AS (
    (SELECT p.account_id FROM pending_deliveries p
      WHERE p.scheduled_at IS NOT NULL AND (SELECT scheduled_at FROM first) <= ${time}::timestamptz AT TIME ZONE 'UTC'
      ORDER BY p.account_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT p.account_id FROM pending_deliveries p
      WHERE p.scheduled_at IS NOT NULL AND p.account_id > a.account_id ORDER BY p.account_id LIMIT 1)
    FROM accounts a WHERE a.account_id IS NOT NULL
  )`;

/**
 * $1 when what is released becomes overdue, $2 the same of earlier calls, $3 the limit per account, $4 that of all.
 * Releases scheduled messages whose time has come. What earlier calls released and no worker has claimed yet counts
 * towards the limit of an account, and every account has its own: so the messages of one that are due at the same time
 * neither fill the queue nor hold up the others. Bulk SMS, which leave slowly, have a limit of their own. As with the
 * claim, the clock is that of the database.
 */
export const RELEASE = `
  WITH RECURSIVE ${schedulingAccounts('now()')}, released AS (
    SELECT account_id, is_bulk_sms, count(*) AS messages FROM pending_deliveries
    WHERE scheduled_at IS NULL AND sweep_at = ANY ($2::timestamptz[]) GROUP BY account_id, is_bulk_sms
  ), due AS (
    SELECT d.message_id FROM accounts a CROSS JOIN (VALUES (false), (true)) AS lane (is_bulk_sms)
    LEFT JOIN released r USING (account_id, is_bulk_sms) CROSS JOIN LATERAL (
      SELECT p.message_id FROM pending_deliveries p
      WHERE p.account_id = a.account_id AND p.is_bulk_sms = lane.is_bulk_sms AND p.scheduled_at <= now()
      ORDER BY p.scheduled_at LIMIT greatest(0, $3::integer - coalesce(r.messages, 0)) FOR UPDATE SKIP LOCKED) d
    LIMIT $4
  )
  UPDATE pending_deliveries p SET scheduled_at = NULL, sweep_at = $1
  WHERE p.message_id = ANY (ARRAY(SELECT message_id FROM due))
  RETURNING p.message_id AS "messageId", p.account_id AS "accountId", ${LANE} AS lane`;

/**
 * $1 now. Of the deliveries that are due and that no worker has claimed: when the first was due, or, for those that no
 * attempt has postponed, when the first was accepted. The id of a message has that time, except in campaigns. Messages
 * that wait for their scheduled time are not read: there may be a million.
 */
export const BACKLOG = `
  WITH RECURSIVE ${schedulingAccounts('$1')}
  SELECT lane, count(*)::integer AS pending,
    min(next_attempt_at) FILTER (WHERE is_unclaimed AND next_attempt_at > '-infinity') AS "dueAt",
    min(accepted_at) FILTER (WHERE is_unclaimed AND next_attempt_at = '-infinity') AS "acceptedAt",
    min(message_id) FILTER (WHERE is_unclaimed AND next_attempt_at = '-infinity' AND accepted_at IS NULL) AS "messageId"
  FROM (
    SELECT p.message_id, p.next_attempt_at, p.accepted_at, ${LANE} AS lane,
      p.lease_ends_at IS NULL OR p.lease_ends_at <= clock_timestamp() AS is_unclaimed
    FROM pending_deliveries p WHERE p.scheduled_at IS NULL
    UNION ALL
    SELECT p.message_id, p.next_attempt_at, p.accepted_at, ${LANE} AS lane, true
    FROM accounts a JOIN pending_deliveries p ON p.account_id = a.account_id AND p.scheduled_at <= $1
  ) deliveries
  GROUP BY lane`;

/** $1 account, $2 message ids, $3 the key that must have sent them, or null. Locks those that no worker holds. */
const IDLE = `idle AS (
    SELECT p.message_id, ${LANE} AS lane FROM pending_deliveries p
    WHERE p.account_id = $1 AND p.message_id = ANY ($2) AND p.lease_ends_at IS NULL
    ORDER BY p.message_id FOR UPDATE
  ), queued AS (
    SELECT m.id FROM message_logs m
    WHERE m.id = ANY ($2) AND m.id = ANY (ARRAY(SELECT message_id FROM idle)) AND m.status = 'queued'
      AND ($3::text IS NULL OR m.api_key_id = $3)
    ORDER BY m.id FOR UPDATE
  )`;

const CANCELED = insertLists(EmailEventSchema, {
  ...inFeedOf('$1'),
  messageId: 'c.id',
  id: 'e.event_id',
  type: `'canceled'`,
  occurredAt: '$4',
  data: `'{}'`,
});

/**
 * $1 to $3 as in IDLE, $4 now, $5 ids for the events. Cancels those of the messages that are queued. The lock on the
 * pending delivery decides against a claim: it has been deleted before the claim, or the claim has leased it.
 */
export const CANCEL = `
  WITH ${IDLE}, removed AS (
    DELETE FROM pending_deliveries p WHERE p.message_id = ANY (ARRAY(SELECT id FROM queued))
  ), canceled AS (
    UPDATE message_logs m SET status = 'canceled'
    WHERE m.id = ANY ($2) AND m.id = ANY (ARRAY(SELECT id FROM queued)) RETURNING m.id
  ), events AS (
    INSERT INTO email_events (${CANCELED.columns})
    SELECT ${CANCELED.values}
    FROM canceled c JOIN unnest($2::text[], $5::text[]) AS e (message_id, event_id) ON e.message_id = c.id
  )
  SELECT id FROM canceled`;

/**
 * $1 to $3 as in IDLE, $4 the new time, or null: at once, $5 now, $6 when to sweep what is due at once. Returns the
 * lane of what it has changed. The log keeps the time in either case: it counts as acceptance, and the message may be
 * old.
 */
export const RESCHEDULE = `
  WITH ${IDLE}, moved AS (
    UPDATE pending_deliveries p
    SET scheduled_at = $4, next_attempt_at = coalesce($4::timestamptz, $5), sweep_at = coalesce($4::timestamptz, $6)
    WHERE p.message_id = ANY (ARRAY(SELECT id FROM queued))
  ), logged AS (
    UPDATE message_logs m SET scheduled_at = coalesce($4::timestamptz, $5)
    WHERE m.id = ANY ($2) AND m.id = ANY (ARRAY(SELECT id FROM queued)) RETURNING m.id
  )
  SELECT i.lane FROM logged l JOIN idle i ON i.message_id = l.id`;
