import { columnNames, recordColumns } from '../../../../platform/database/columns.js';
import { LOCK_TURN_MS } from '../../../../shared/retry-while-locked.js';
import { IDEMPOTENCY_KEY_HOURS } from '../../domain/idempotency.js';
import { ACCEPTED_FIELDS } from '../../domain/message-log.js';
import { MessageLogSchema } from '../message-log.schema.js';

/** $1: ids of accounts and keys, $2: the UTC day. */
export const START_COUNTERS = `
  INSERT INTO daily_usage (subject_id, day, used)
  SELECT subject, $2, 0 FROM unnest($1::text[]) AS subject ORDER BY subject
  ON CONFLICT DO NOTHING`;

/**
 * The contact of the recipient: the first one from that address on, if the address is its own. So a plan reads one
 * entry of the unique index. For an equality or a join, a plan that was made while there were few contacts reads all of
 * them, the equality for each message, and it is used until the statistics of the table are updated.
 */
export const CONTACT_ID = `CASE WHEN channel = 'email' THEN (
      SELECT CASE WHEN (c.account_id, c.normalised_email) = ("accountId", "normalisedRecipient") THEN c.id END
      FROM contacts c WHERE (c.account_id, c.normalised_email) >= ("accountId", "normalisedRecipient")
      ORDER BY c.account_id, c.normalised_email LIMIT 1) END`;

export const IDEMPOTENCY_KEY_TTL = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/** The columns of a pending delivery, from a row `m` of `ACCEPTED_FIELDS` and the given time to sweep it. */
export const PENDING_COLUMNS = 'message_id, account_id, channel, next_attempt_at, sweep_at, scheduled_at';
export const pendingValues = (sweepAt: string): string => `
    m.id, m."accountId", m.channel, coalesce(m."scheduledAt", '-infinity'), ${sweepAt}, m."scheduledAt"`;

export const IS_WITHIN_CAPS = 'r.is_within_key_limit AND r.account_used + r.account_rank <= r.cap';
const WITHIN_CAPS = `
    SELECT i.* FROM incoming i JOIN ranked r USING (position)
    WHERE ${IS_WITHIN_CAPS}`;

const ALL_WITHIN_CAPS = `
    SELECT i.* FROM incoming i WHERE (SELECT bool_and(coalesce(${IS_WITHIN_CAPS}, false)) FROM ranked r)`;

/**
 * What a statement does about counters that another transaction has locked: it waits; it fails (`isLockTimeout`) if
 * that takes longer than any short statement, or than one turn among locked accounts; or it does as if they were
 * gone.
 */
export type Locking = 'wait' | 'waitBriefly' | 'waitOneTurn' | 'skip';

const waitAtMost = (time: string) => ({
  condition: `AND (SELECT set_config('lock_timeout', '${time}', true)) IS NOT NULL`,
  clause: '',
});

/** The condition is evaluated before the rows are locked, and holds until the end of the transaction. */
const LOCKING: Readonly<Record<Locking, { condition: string; clause: string }>> = {
  wait: { condition: '', clause: '' },
  waitBriefly: waitAtMost('100ms'),
  waitOneTurn: waitAtMost(`${LOCK_TURN_MS}ms`),
  skip: { condition: '', clause: 'SKIP LOCKED' },
};

/** The counters of `subjects` on the given day: first locked, in one order so that two statements cannot deadlock. */
export const lockedCounters = (subjects: string, day: string, locking: Locking): string => `
    SELECT subject_id, used FROM daily_usage
    WHERE subject_id = ANY(${subjects}) AND day = ${day} ${LOCKING[locking].condition}
    ORDER BY subject_id FOR UPDATE ${LOCKING[locking].clause}`;

export const forEachLocking = (statement: (locking: Locking) => string): Readonly<Record<Locking, string>> => ({
  wait: statement('wait'),
  waitBriefly: statement('waitBriefly'),
  waitOneTurn: statement('waitOneTurn'),
  skip: statement('skip'),
});

/** Whether the recipient of a message with a `recipientHash` is in the suppression list, looked up like a contact. */
const IS_LISTED = `coalesce((
      SELECT (s.account_id, s.channel, s.address) = (m."accountId", m.channel, m."normalisedRecipient")
      FROM suppressions s
      WHERE m."recipientHash" IS NOT NULL
        AND (s.account_id, s.channel, s.address) >= (m."accountId", m.channel, m."normalisedRecipient")
      ORDER BY s.account_id, s.channel, s.address LIMIT 1), false)`;

/** Leaves out what repeats an earlier request. Keys of requests without an API key are stored with an empty one. */
export const HAS_NEW_KEY = `(i."idempotencyKey" IS NULL OR NOT EXISTS (
      SELECT FROM idempotency_keys k
      WHERE k.account_id = i."accountId" AND k.api_key_id = coalesce(i."apiKeyId", '') AND k.key = i."idempotencyKey"
        AND k.created_at > i."createdAt" - ${IDEMPOTENCY_KEY_TTL}))`;

/**
 * $1 account, $2 API key, $3 key, $4 fingerprint, $5 the first message of a batch, $6 now, $7 its entries as JSON.
 * Returns a row unless the key belongs to an earlier request. Waits for a concurrent one that has not committed.
 */
export const STORE_BATCH_KEY = `
  INSERT INTO idempotency_keys AS k (account_id, api_key_id, key, fingerprint, message_id, created_at, results)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (account_id, api_key_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, created_at = excluded.created_at,
      results = excluded.results
    WHERE k.created_at <= excluded.created_at - ${IDEMPOTENCY_KEY_TTL}
  RETURNING 1`;

/** Accepts what is within the caps and, if it has an Idempotency-Key, could store it. */
export const CLAIM_KEYS = `within_caps AS (${WITHIN_CAPS}
  ), claimed_keys AS (
    INSERT INTO idempotency_keys AS k (account_id, api_key_id, key, fingerprint, message_id, created_at)
    SELECT DISTINCT ON ("accountId", "apiKeyId", "idempotencyKey")
      "accountId", coalesce("apiKeyId", ''), "idempotencyKey", fingerprint, id, "createdAt"
    FROM within_caps WHERE "idempotencyKey" IS NOT NULL
    ORDER BY "accountId", "apiKeyId", "idempotencyKey", position
    ON CONFLICT (account_id, api_key_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, created_at = excluded.created_at,
        results = NULL
      WHERE k.created_at <= excluded.created_at - ${IDEMPOTENCY_KEY_TTL}
    RETURNING message_id
  ), accepted AS (
    SELECT * FROM within_caps WHERE "idempotencyKey" IS NULL OR id IN (SELECT message_id FROM claimed_keys)
  )`;

/**
 * Counts messages under the caps and stores those within them, in one statement and so in one transaction.
 * $1: the messages as a JSON array, $2: their accounts and keys, $3: the UTC day. Returns one row per message, in
 * order; `hasCounters` is false if its account or counters are gone. A message to a suppressed recipient is not ranked,
 * so it takes nothing of the caps.
 *
 * The counters are locked first and then read; each message is ranked against what is left. Concurrent statements
 * together never exceed a cap.
 */
export const ACCEPT = forEachLocking((locking) =>
  accept(
    {
      keyColumns: '',
      isNew: 'true',
      accepted: `accepted AS (${WITHIN_CAPS}
  )`,
      isDuplicate: 'false',
    },
    locking,
  ),
);

/**
 * The same if some of the messages have an Idempotency-Key. `isDuplicate`: the key belongs to an earlier message, which
 * may be one of this batch; nothing was counted or stored. Duplicates of messages stored before the statement began are
 * not ranked. A key that another process stores meanwhile is found by the constraint; that duplicate was ranked, so
 * messages over a cap in the same batch must be tried again.
 */
export const ACCEPT_ONCE = forEachLocking((locking) =>
  accept(
    {
      keyColumns: ', "idempotencyKey" text, fingerprint text',
      isNew: HAS_NEW_KEY,
      accepted: CLAIM_KEYS,
      isDuplicate: `NOT i.is_suppressed AND (r.position IS NULL OR (a.id IS NULL AND ${IS_WITHIN_CAPS}))`,
    },
    locking,
  ),
);

/** The same for the messages of one request: all of them, or none if one of them is not within the caps. */
export const ACCEPT_ALL = accept(
  {
    keyColumns: '',
    isNew: 'true',
    accepted: `accepted AS (${ALL_WITHIN_CAPS}
  )`,
    isDuplicate: 'false',
  },
  'waitOneTurn',
);

type Parts = Record<'keyColumns' | 'isNew' | 'accepted' | 'isDuplicate', string>;

function accept({ keyColumns, isNew, accepted, isDuplicate }: Parts, locking: Locking): string {
  return `
  WITH incoming AS (
    SELECT m.*, a.daily_send_cap AS cap, ${IS_LISTED} OR erased.id IS NOT NULL AS is_suppressed
    FROM json_to_recordset($1::json) AS m (
      position integer, "keyLimit" integer, ${recordColumns(MessageLogSchema, ACCEPTED_FIELDS)},
      html text, text text, "unsubscribeUrl" text, "sweepAt" timestamptz, "recipientHash" bytea${keyColumns})
    LEFT JOIN accounts a ON a.id = m."accountId"
    LEFT JOIN suppressions erased ON erased.account_id = m."accountId" AND erased.channel = m.channel
      AND erased.address_hash = m."recipientHash"
  ), counters AS (${lockedCounters('$2', '$3', locking)}
  ), ranked_by_key AS (
    SELECT i.position, i.cap, account.used AS account_used, i."keyLimit",
      CASE WHEN i."apiKeyId" IS NULL THEN 0 ELSE key.used END AS key_used,
      row_number() OVER (PARTITION BY i."apiKeyId" ORDER BY i.position) AS key_rank, i."accountId"
    FROM incoming i
    LEFT JOIN counters account ON account.subject_id = i."accountId"
    LEFT JOIN counters key ON key.subject_id = i."apiKeyId"
    WHERE NOT i.is_suppressed AND ${isNew}
  ), checked_by_key AS (
    SELECT *,
      key_used IS NOT NULL AND ("keyLimit" IS NULL OR key_used + key_rank <= "keyLimit") AS is_within_key_limit
    FROM ranked_by_key
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY "accountId", is_within_key_limit ORDER BY position) AS account_rank
    FROM checked_by_key
  ), ${accepted}, counted AS (
    UPDATE daily_usage u SET used = u.used + added.count
    FROM (
      SELECT subject_id, count(*) FROM (
        SELECT "accountId" AS subject_id FROM accepted
        UNION ALL SELECT "apiKeyId" FROM accepted WHERE "apiKeyId" IS NOT NULL
      ) subject GROUP BY subject_id
    ) added
    WHERE u.subject_id = added.subject_id AND u.day = $3
  ), log AS (
    INSERT INTO message_logs (${columnNames(MessageLogSchema, ACCEPTED_FIELDS)}, status, contact_id)
    SELECT ${ACCEPTED_FIELDS.map((field) => `"${field}"`).join(', ')}, 'queued', ${CONTACT_ID} FROM accepted
  ), content AS (
    INSERT INTO message_contents (message_id, html, text, unsubscribe_url)
    SELECT id, html, text, "unsubscribeUrl" FROM accepted
  ), pending AS (
    INSERT INTO pending_deliveries (${PENDING_COLUMNS}) SELECT ${pendingValues('m."sweepAt"')} FROM accepted m
  )
  SELECT a.id IS NOT NULL AS "isAccepted", i.is_suppressed AS "isSuppressed", ${isDuplicate} AS "isDuplicate",
    r.cap + r.account_used + r.key_used IS NOT NULL AS "hasCounters", r.cap AS "accountCap", r."keyLimit",
    CASE WHEN r.is_within_key_limit THEN least(r.account_used + r.account_rank, r.cap)
      ELSE r.account_used END::integer AS "accountUsed",
    CASE WHEN NOT r.is_within_key_limit THEN r."keyLimit" WHEN a.id IS NULL THEN r.key_used + r.key_rank - 1
      ELSE r.key_used + r.key_rank END::integer AS "keyUsed"
  FROM incoming i LEFT JOIN ranked r USING (position) LEFT JOIN accepted a USING (position)
  ORDER BY position`;
}
