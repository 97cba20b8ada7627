import {
  SEEN_REPORTS_KEPT_DAYS,
  UNKNOWN_EVENTS_KEPT_DAYS,
  UNMATCHED_EVENTS_KEPT_DAYS,
} from '../../../config/limits.js';
import { MAX_MATCH_DELAY_HOURS, MIN_MATCH_DELAY_SECONDS, OVERDUE_AFTER_MINUTES } from '../domain/retention.js';

const KEPT_FOR = `interval '${UNMATCHED_EVENTS_KEPT_DAYS} days'`;
const UNKNOWN_KEPT_FOR = `interval '${UNKNOWN_EVENTS_KEPT_DAYS} days'`;
const MIN_DELAY = `interval '${MIN_MATCH_DELAY_SECONDS} seconds'`;
const MAX_DELAY = `interval '${MAX_MATCH_DELAY_HOURS} hours'`;
const OVERDUE_AFTER = `interval '${OVERDUE_AFTER_MINUTES} minutes'`;

/** $1 the events as a JSON array, $2 now. */
export const KEEP = `
  INSERT INTO unmatched_events (id, account_id, provider, message_id, provider_message_id, type, occurred_at, recipient,
    data, received_at, match_until, next_match_at)
  SELECT id, "accountId", provider, "messageId", "providerMessageId", type, "occurredAt", recipient, data,
    $2::timestamptz,
    $2::timestamptz + CASE type WHEN 'unknown' THEN ${UNKNOWN_KEPT_FOR} ELSE ${KEPT_FOR} END,
    CASE WHEN "mayMatch" THEN $2::timestamptz + ${MIN_DELAY} END
  FROM json_to_recordset($1::json) AS e (id text, "accountId" text, provider text, "messageId" text,
    "providerMessageId" text, type text, "occurredAt" timestamptz, recipient text, data jsonb, "mayMatch" boolean)
  ORDER BY "accountId", id
  ON CONFLICT DO NOTHING`;

/**
 * $1 now. Walks along the index from account to account, which reads one event of each. If nothing is due, it only
 * looks at the other index.
 */
export const DUE_ACCOUNTS = `
  WITH RECURSIVE first (next_match_at) AS MATERIALIZED (
    SELECT min(next_match_at) FROM unmatched_events WHERE next_match_at IS NOT NULL
  ), walk (account_id, next_match_at) AS (
    (SELECT u.account_id, u.next_match_at FROM unmatched_events u
      WHERE u.next_match_at IS NOT NULL AND (SELECT next_match_at FROM first) <= $1::timestamptz
      ORDER BY u.account_id, u.next_match_at LIMIT 1)
    UNION ALL
    SELECT next.account_id, next.next_match_at FROM walk w CROSS JOIN LATERAL (
      SELECT u.account_id, u.next_match_at FROM unmatched_events u
      WHERE u.next_match_at IS NOT NULL AND u.account_id > w.account_id
      ORDER BY u.account_id, u.next_match_at LIMIT 1) next
  )
  SELECT account_id AS "accountId" FROM walk WHERE next_match_at <= $1`;

/**
 * $1 now, $2 accounts, $3 limit per account. The comparison of rows rules out the index of all accounts: the planner
 * prefers it if it believes that little is due, and then reads the due events of all accounts for each.
 */
export const TAKE_DUE = `
  SELECT due.* FROM unnest($2::text[]) AS a (account_id) CROSS JOIN LATERAL (
    SELECT id, u.account_id AS "accountId", provider, message_id AS "messageId",
      provider_message_id AS "providerMessageId", type, occurred_at AS "occurredAt", recipient, data,
      received_at <= $1::timestamptz - ${OVERDUE_AFTER} AS "isOverdue"
    FROM unmatched_events u
    WHERE u.account_id = a.account_id AND next_match_at IS NOT NULL
      AND (u.account_id, next_match_at) <= (a.account_id, $1::timestamptz)
    ORDER BY next_match_at LIMIT $3 FOR UPDATE SKIP LOCKED) due`;

/** $1 accounts, $2 ids. */
export const REMOVE = `
  DELETE FROM unmatched_events u USING unnest($1::text[], $2::text[]) AS e (account_id, id)
  WHERE u.account_id = e.account_id AND u.id = e.id`;

/** $1 accounts, $2 ids, $3 now. */
export const POSTPONE = `
  UPDATE unmatched_events u
  SET next_match_at = $3::timestamptz +
    least(greatest(($3::timestamptz - u.received_at) / 2, ${MIN_DELAY}), ${MAX_DELAY})
  FROM unnest($1::text[], $2::text[]) AS e (account_id, id)
  WHERE u.account_id = e.account_id AND u.id = e.id`;

/** $1 now, $2 limit. */
export const EXPIRE = `
  WITH expired AS (
    DELETE FROM unmatched_events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM unmatched_events WHERE match_until <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING provider
  )
  SELECT provider, count(*)::integer AS count FROM expired GROUP BY provider`;

/**
 * $1 the reports as a JSON array, $2 now. The update changes nothing: it makes the statement wait for, and return, the
 * existing row.
 */
export const ADD_SEEN = `
  WITH report AS (
    SELECT * FROM json_to_recordset($1::json) AS s (position integer, "accountId" text, key text, content text)
  ), seen AS (
    INSERT INTO seen_reports AS r (account_id, key, meaning, seen_at)
    SELECT DISTINCT ON ("accountId", key) "accountId", key, content, $2::timestamptz
    FROM report ORDER BY "accountId", key, position
    ON CONFLICT (account_id, key) DO UPDATE SET key = excluded.key
    RETURNING account_id, key, meaning, xmax = 0 AS added
  )
  SELECT CASE
      WHEN t.meaning <> s.content THEN 'misused'
      WHEN t.added AND s.position = min(s.position) OVER (PARTITION BY s."accountId", s.key) THEN 'first'
      ELSE 'repeated' END AS occurrence
  FROM report s JOIN seen t ON t.account_id = s."accountId" AND t.key = s.key
  ORDER BY s.position`;

/** Condition on `seen_reports`. $1 now. */
export const IS_EXPIRED_SEEN = `seen_at < $1::timestamptz - interval '${SEEN_REPORTS_KEPT_DAYS} days'`;
