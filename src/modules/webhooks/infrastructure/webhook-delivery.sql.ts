import { DISABLE_AFTER_DAYS, WEBHOOK_DELAYS_MS, WEBHOOK_LEASE_MS } from '../../../config/limits.js';
import { hasExpired, leaseEnd } from '../../../platform/database/lease.sql.js';
import { listParameter, unnestParameters } from '../../../platform/database/list-parameter.sql.js';
import { FAILURE_PRECISION_HOURS, MAX_DAYS_BETWEEN_FAILURES } from '../domain/webhook-endpoint.js';

/**
 * $1 the deliveries as a JSON array. Those of a batch become due a microsecond apart, in their order. The endpoints are
 * locked against removal. It is for many accounts, and waits for none if its transaction has locked the endpoints, as
 * that of the dispatcher has; without that it waits for one that is being removed, and then skips it.
 */
export const ADD = `
  INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, due_at, created_at)
  SELECT d.id, d."accountId", e.id, d."eventId", d.event, d.body, 'pending',
    d."createdAt" - (json_array_length($1::json) - d.position) * interval '1 microsecond', d."createdAt"
  FROM ROWS FROM (json_to_recordset($1::json) AS (
    id text, "accountId" text, "endpointId" text, "eventId" text, event text, body text, "createdAt" timestamptz
  )) WITH ORDINALITY AS d (id, "accountId", "endpointId", "eventId", event, body, "createdAt", position)
  JOIN webhook_endpoints e ON e.id = d."endpointId" AND e.account_id = d."accountId"
  ORDER BY d.id
  FOR KEY SHARE OF e
  ON CONFLICT (endpoint_id, event_id) DO NOTHING`;

const LEASE_END = leaseEnd(WEBHOOK_LEASE_MS);

/**
 * A delivery that ends its workers is not claimed for ever. More than the attempts of others: a worker that is lost
 * takes along what it has claimed and not attempted yet.
 */
const MAX_LOST_ATTEMPTS = 2 * (WEBHOOK_DELAYS_MS.length + 1);

/**
 * Deliveries due within this time are claimed: the clocks of the processes that add and claim differ by milliseconds.
 */
const CLOCK_DIFFERENCE = `interval '1 second'`;

/**
 * $1 endpoint ids, $2 the limit for each, $3 now, $4 the same if the clock of the database is steady, $5 enough attempt
 * ids. The attempt id doubles as the claim id. A delivery in progress becomes due when its lease runs out: the lost
 * attempt is then recorded and, if there were MAX_LOST_ATTEMPTS, the delivery has failed.
 */
export const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT d.id, d.claim_id, d.due_at, d.attempts, ($5::text[])[row_number() OVER ()] AS attempt_id,
      d.claim_id IS NOT NULL AND d.attempts >= ${MAX_LOST_ATTEMPTS} AS has_failed,
      e.url, e.sealed_secret, e.sealed_previous_secret, e.previous_secret_until
    FROM ${unnestParameters('text', 'integer')} AS wanted (endpoint_id, quota)
    JOIN webhook_endpoints e ON e.id = wanted.endpoint_id AND e.enabled
    CROSS JOIN LATERAL (
      SELECT id, claim_id, due_at, attempts FROM webhook_deliveries
      WHERE endpoint_id = e.id AND due_at <= $3::timestamptz + ${CLOCK_DIFFERENCE} AND (claim_id IS NULL OR ${hasExpired('due_at', '$4')})
      ORDER BY due_at LIMIT wanted.quota
      FOR UPDATE SKIP LOCKED
    ) d
  ), lost AS (
    INSERT INTO webhook_attempts (delivery_id, number, id, started_at, error)
    SELECT id, attempts, claim_id, due_at, 'The worker was lost before it recorded this attempt' FROM due
    WHERE claim_id IS NOT NULL
  ), failed AS (
    UPDATE webhook_deliveries d SET state = 'failed', claim_id = NULL, due_at = NULL, completed_at = $3
    FROM due WHERE d.id = due.id AND due.has_failed
  )
  UPDATE webhook_deliveries d
  SET state = 'in_progress', attempts = d.attempts + 1, claim_id = due.attempt_id, due_at = ${LEASE_END}
  FROM due WHERE d.id = due.id AND NOT due.has_failed
  RETURNING d.id, d.account_id AS "accountId", d.endpoint_id AS "endpointId", d.event, d.body,
    d.claim_id AS "attemptId", d.attempts AS number, due.due_at AS "dueAt",
    due.url, due.sealed_secret AS "sealedSecret",
    due.sealed_previous_secret AS "sealedPreviousSecret", due.previous_secret_until AS "previousSecretUntil"`;

/** $1 delivery ids of one endpoint, $2 their attempt ids, $3 when they were due. Locks in the order of ids. */
export const RELEASE = `
  UPDATE webhook_deliveries d
  SET state = CASE WHEN d.attempts = 1 THEN 'pending' ELSE 'retrying' END, attempts = d.attempts - 1, claim_id = NULL,
    due_at = held.due_at
  FROM (
    SELECT d.id, c.due_at FROM webhook_deliveries d
    JOIN unnest($1::text[], $2::text[], $3::timestamptz[]) AS c (id, attempt_id, due_at)
      ON d.id = c.id AND d.claim_id = c.attempt_id
    ORDER BY d.id FOR UPDATE OF d
  ) held
  WHERE d.id = held.id`;

/**
 * $1 delivery ids, $2 their attempt ids. Returns the claims that still hold, and which of them are not renewed because
 * the delivery is locked: the statement is for many accounts and waits for none.
 */
export const RENEW = `
  WITH held AS MATERIALIZED (
    SELECT d.id FROM webhook_deliveries d JOIN unnest($1::text[], $2::text[]) AS c (id, attempt_id)
      ON d.id = c.id AND d.claim_id = c.attempt_id
    FOR UPDATE OF d SKIP LOCKED
  ), renewed AS (
    UPDATE webhook_deliveries d SET due_at = ${LEASE_END} FROM held h WHERE d.id = h.id
  )
  SELECT d.claim_id AS "claimId", h.id IS NULL AS "isLocked"
  FROM webhook_deliveries d JOIN unnest($1::text[], $2::text[]) AS c (id, attempt_id)
    ON d.id = c.id AND d.claim_id = c.attempt_id
  LEFT JOIN held h ON h.id = d.id`;

const DISABLE_AFTER = `interval '${DISABLE_AFTER_DAYS} days'`;
const MAX_GAP = `interval '${MAX_DAYS_BETWEEN_FAILURES} days'`;
const PRECISION = `interval '${FAILURE_PRECISION_HOURS} hours'`;

/** The failures of the endpoint `e` with those in `s`. */
const STREAK = `
    CROSS JOIN LATERAL (
      SELECT e.last_undelivered_at > s.at - ${MAX_GAP} AS continues,
        e.enabled AND s.has_undelivered AND NOT s.succeeded AND e.last_undelivered_at > s.at - ${MAX_GAP}
          AND e.undelivered_since <= s.at - ${DISABLE_AFTER} AS to_disable
    ) streak`;

const CHANGES = `CASE WHEN s.succeeded THEN e.failing_since IS NOT NULL
      ELSE e.failing_since IS NULL OR streak.to_disable OR (s.has_undelivered
        AND (e.last_undelivered_at IS NULL OR e.last_undelivered_at <= s.at - ${PRECISION})) END`;

const IDS = listParameter('$2');

/**
 * $1 the attempts as a JSON array, $2 their delivery ids, $3 why an endpoint is disabled. Returns the claims that still
 * held, and which of them are not recorded because the delivery or its endpoint is locked: the statement is for many
 * accounts and waits for none. An endpoint is not updated for every attempt, but only when a success ends its failures,
 * on the first failure, and on a permanent failure: at most once per FAILURE_PRECISION_HOURS, or to disable the
 * endpoint.
 */
export const RECORD = `
  WITH attempt AS (
    SELECT * FROM json_to_recordset($1::json) AS a (
      "deliveryId" text, id text, number integer, "startedAt" timestamptz, "durationMs" integer, "requestHeaders" jsonb,
      "statusCode" smallint, error text, "responseHeaders" json, "responseBody" text, state text, "nextAttemptAt" timestamptz, at timestamptz)
  ), idle AS MATERIALIZED (
    SELECT a.*, d.endpoint_id FROM webhook_deliveries d JOIN attempt a ON d.id = a."deliveryId" AND d.claim_id = a.id
    WHERE d.id = ANY (${IDS})
    FOR UPDATE OF d SKIP LOCKED
  ), summary AS (
    SELECT endpoint_id, bool_or(state = 'delivered') AS succeeded, min("startedAt") AS since, max(at) AS at,
      bool_or(state IN ('failed', 'failed_permanent')) AS has_undelivered
    FROM idle GROUP BY endpoint_id
  ), to_change AS MATERIALIZED (
    SELECT e.id FROM webhook_endpoints e JOIN summary s ON s.endpoint_id = e.id ${STREAK} WHERE ${CHANGES}
  ), changed AS MATERIALIZED (
    SELECT e.id, s.succeeded, s.since, s.at, s.has_undelivered, streak.to_disable,
      CASE WHEN streak.continues THEN e.undelivered_since ELSE s.at END AS undelivered_since
    FROM webhook_endpoints e JOIN summary s ON s.endpoint_id = e.id ${STREAK}
    WHERE ${CHANGES}
    FOR NO KEY UPDATE OF e SKIP LOCKED
  ), held AS MATERIALIZED (
    SELECT * FROM idle WHERE endpoint_id NOT IN (SELECT id FROM to_change EXCEPT SELECT id FROM changed)
  ), recorded AS (
    INSERT INTO webhook_attempts
      (delivery_id, number, id, started_at, duration_ms, request_headers, status_code, error, response_headers,
        response_body)
    SELECT "deliveryId", number, id, "startedAt", "durationMs", "requestHeaders", "statusCode", error,
      "responseHeaders", "responseBody"
    FROM held
  ), written AS (
    UPDATE webhook_endpoints e
    SET failing_since = CASE WHEN c.succeeded THEN NULL ELSE coalesce(e.failing_since, c.since) END,
      undelivered_since =
        CASE WHEN c.succeeded THEN NULL WHEN c.has_undelivered THEN c.undelivered_since ELSE e.undelivered_since END,
      last_undelivered_at =
        CASE WHEN c.succeeded THEN NULL WHEN c.has_undelivered THEN c.at ELSE e.last_undelivered_at END,
      enabled = e.enabled AND c.to_disable IS NOT TRUE,
      disabled_at = CASE WHEN c.to_disable THEN c.at ELSE e.disabled_at END,
      disabled_reason = CASE WHEN c.to_disable THEN $3 ELSE e.disabled_reason END
    FROM changed c WHERE e.id = c.id
  ), updated AS (
    UPDATE webhook_deliveries d
    SET state = s.state, due_at = s."nextAttemptAt", claim_id = NULL,
      completed_at = CASE WHEN s."nextAttemptAt" IS NULL THEN s.at END
    FROM held s WHERE d.id = s."deliveryId" AND d.id = ANY (${IDS})
  )
  SELECT d.claim_id AS "claimId", h.id IS NULL AS "isLocked"
  FROM webhook_deliveries d JOIN attempt a ON d.id = a."deliveryId" AND d.claim_id = a.id
  LEFT JOIN held h ON h."deliveryId" = d.id
  WHERE d.id = ANY (${IDS})`;

/** $1 now. Skips from endpoint to endpoint along the index instead of reading every delivery (loose index scan). */
export const DUE_ENDPOINTS = `
  WITH RECURSIVE waiting AS (
    SELECT min(endpoint_id) AS endpoint_id FROM webhook_deliveries WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (
      SELECT min(d.endpoint_id) FROM webhook_deliveries d
      WHERE d.due_at IS NOT NULL AND d.endpoint_id > waiting.endpoint_id
    ) FROM waiting WHERE waiting.endpoint_id IS NOT NULL
  )
  SELECT e.id FROM waiting JOIN webhook_endpoints e ON e.id = waiting.endpoint_id AND e.enabled
  WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.due_at <= $1)`;

export const COUNT_WAITING = `SELECT count(*)::integer AS waiting FROM webhook_deliveries WHERE due_at IS NOT NULL`;

const COLUMNS = `d.id, d.endpoint_id AS "endpointId", d.event, d.state, d.attempts,
  CASE WHEN d.state IN ('pending', 'retrying') THEN d.due_at END AS "nextAttemptAt",
  d.created_at AS "createdAt", d.completed_at AS "completedAt",
  coalesce(
    d.body::json #>> '{data,email}', d.body::json #>> '{data,phone}', d.body::json #>> '{data,from}'
  ) AS recipient, last_attempt.status_code AS "lastStatusCode", last_attempt.duration_ms AS "lastDurationMs"`;

const LAST_ATTEMPT = `
  LEFT JOIN LATERAL (
    SELECT a.status_code, a.duration_ms FROM webhook_attempts a
    WHERE a.delivery_id = d.id ORDER BY a.number DESC LIMIT 1
  ) last_attempt ON true`;

/** $1 account, $2 endpoint, $3 state, $4 id to continue after, $5 limit. */
export const LIST = `
  SELECT ${COLUMNS} FROM webhook_deliveries d ${LAST_ATTEMPT}
  WHERE d.account_id = $1 AND d.endpoint_id = $2 AND ($3::text IS NULL OR d.state = $3)
    AND ($4::text IS NULL OR d.id < $4)
  ORDER BY d.id DESC LIMIT $5`;

export const FIND = `
  SELECT ${COLUMNS}, d.body FROM webhook_deliveries d
  JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.deleted_at IS NULL ${LAST_ATTEMPT}
  WHERE d.account_id = $1 AND d.id = $2`;

/** An attempt has up to some kilobytes, and there is no limit to retries by hand. */
const MAX_LISTED_ATTEMPTS = 100;

/** $1 account, $2 delivery. */
export const LIST_ATTEMPTS = `
  SELECT a.id, a.number, a.started_at AS "startedAt", a.duration_ms AS "durationMs",
    a.request_headers AS "requestHeaders", a.status_code AS "statusCode", a.error,
    a.response_headers AS "responseHeaders", a.response_body AS "responseBody"
  FROM (
    SELECT a.* FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id AND d.account_id = $1
    WHERE a.delivery_id = $2
    ORDER BY a.number DESC LIMIT ${MAX_LISTED_ATTEMPTS}
  ) a
  ORDER BY a.number`;

/** $1 account, $2 delivery, $3 now. A delivery in progress is not touched unless its worker was lost. */
export const MAKE_DUE = `
  WITH wanted AS (
    SELECT d.id, e.enabled, d.state = 'in_progress' AND d.due_at > clock_timestamp() AS is_in_progress
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE d.account_id = $1 AND d.id = $2
    FOR UPDATE OF d
  ), made_due AS (
    UPDATE webhook_deliveries d SET state = 'pending', due_at = $3, completed_at = NULL
    FROM wanted w WHERE d.id = w.id AND w.enabled AND d.state <> 'in_progress'
  )
  SELECT CASE WHEN is_in_progress THEN 'in_progress' WHEN enabled THEN 'due' ELSE 'endpoint_disabled' END AS outcome
  FROM wanted`;

/**
 * $1 account, $2 endpoint, $3 since, $4 limit, $5 now. The deliveries become due a microsecond apart, in their order,
 * and in the past, so that all of them are due at once.
 */
export const MAKE_FAILED_DUE = `
  WITH wanted AS MATERIALIZED (
    SELECT d.id FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.enabled AND e.deleted_at IS NULL
    WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.state IN ('failed', 'failed_permanent')
      AND d.created_at >= $3
    ORDER BY d.id LIMIT $4
    FOR UPDATE OF d SKIP LOCKED
  ), ranked AS (
    SELECT id, row_number() OVER (ORDER BY id) AS rank FROM wanted
  ), made_due AS (
    UPDATE webhook_deliveries d
    SET state = 'pending', due_at = $5::timestamptz - ($4::integer - r.rank) * interval '1 microsecond',
      completed_at = NULL
    FROM ranked r WHERE d.id = r.id
    RETURNING d.id
  )
  SELECT count(*)::integer AS count FROM made_due`;

/** $1 account, $2 endpoint, $3 the prefix of the ids since the first hour. Ids are ordered by the time of the event. */
export const COUNT_BY_HOUR = `
  SELECT date_trunc('hour', d.created_at, 'UTC') AS "from",
    (count(*) FILTER (WHERE d.state = 'delivered'))::integer AS delivered,
    (count(*) FILTER (WHERE d.state IN ('failed', 'failed_permanent')))::integer AS failed,
    (count(*) FILTER (WHERE d.due_at IS NOT NULL))::integer AS waiting
  FROM webhook_deliveries d
  WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.id >= $3
  GROUP BY 1`;
