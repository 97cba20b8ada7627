import { IDEMPOTENCY_KEY_HOURS, TEST_CONTENT_BYTES_PER_DAY } from '../../../../config/limits.js';
import { columnNames, recordColumns } from '../../../../platform/database/columns.js';
import { findByKey } from '../../../../platform/database/find-by-key.sql.js';
import { TEST_ROW_BYTES } from '../../domain/daily-caps.js';
import { topicName, topicRefusal } from '../../../topics/index.js';
import { ACCEPTED_FIELDS, type MessageLog } from '../../domain/message-log.js';
import { MessageLogSchema } from '../message-log.schema.js';

export const IDEMPOTENCY_KEY_TTL = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/**
 * The columns of every row: its unit, the number of messages of the unit after this one, and the fields of the message.
 */
const ROW_COLUMNS = `unit integer, rest integer, "keyLimit" integer,
      ${recordColumns(MessageLogSchema, ACCEPTED_FIELDS)}, html text, text text, "unsubscribeUrl" text,
      "sweepAt" timestamptz`;
/** The rows of $1 as `m`, with their positions. */
const rowsWith = (columns: string): string =>
  `ROWS FROM (json_to_recordset($1::json) AS (${columns})) WITH ORDINALITY AS m`;
const LOG_COLUMNS = columnNames(MessageLogSchema, ACCEPTED_FIELDS);
const LOG_VALUES = ACCEPTED_FIELDS.map((field) => `"${field}"`).join(', ');

/** Only messages of test accounts count. */
const testBytes = (bytes: string): string => `CASE WHEN a.test_of IS NULL THEN 0 ELSE ${bytes} END AS test_bytes`;
const byteLengths = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');

/** The contact of the recipient. */
const CONTACT_ID = `CASE WHEN channel = 'email' THEN ${findByKey(
  { table: 'contacts', key: { account_id: '"accountId"', normalised_email: '"normalisedRecipient"' } },
  'k.id',
)} END`;

const IS_LISTED = findByKey(
  {
    table: 'suppressions',
    key: { account_id: 'm."accountId"', channel: 'm.channel', address: 'm."normalisedRecipient"' },
  },
  'true',
);

/** Why a message with a `recipientHash` is not accepted, whatever the caps. */
const REFUSAL = `CASE WHEN m."recipientHash" IS NULL THEN NULL
      WHEN ${IS_LISTED} OR erased.id IS NOT NULL THEN 'suppressed'
      ELSE ${topicRefusal({
        account: 'm."accountId"',
        channel: 'm.channel',
        address: 'm."normalisedRecipient"',
        hash: `encode(m."recipientHash", 'hex')`,
        topic: 'm."topicId"',
      })} END`;

const KEY_COLUMNS = '"idempotencyKey" text, fingerprint text';
/** Keys of requests without an API key are stored with an empty one. */
const HAS_KNOWN_KEY = `m."idempotencyKey" IS NOT NULL AND EXISTS (
      SELECT FROM idempotency_keys k
      WHERE k.account_id = m."accountId" AND k.api_key_id = coalesce(m."apiKeyId", '') AND k.key = m."idempotencyKey"
        AND k.created_at > m."createdAt" - ${IDEMPOTENCY_KEY_TTL})`;

/** Locked first, in a fixed order, so that two statements cannot deadlock. `condition` is evaluated before that. */
const lockedCounters = (subjects: string, day: string, condition = ''): string => `
    SELECT subject_id, used, test_bytes FROM daily_usage
    WHERE subject_id = ANY(${subjects}) AND day = ${day}${condition}
    ORDER BY subject_id FOR UPDATE`;

/** A condition that sets `lock_timeout` until the end of the transaction. Null leaves it as it is. */
const limitsLockWait = (ms: string): string =>
  `(SELECT set_config('lock_timeout', coalesce(${ms}, current_setting('lock_timeout')), true)) IS NOT NULL`;

const COUNTERS = `
  WITH counters AS (${lockedCounters('$2', '$3', ` AND ${limitsLockWait('$4')}`)}
  )`;

const incomingMessages = (keyColumns: string, isRepeated: string): string => `, incoming AS (
    SELECT m.*, m.ordinality AS position, a.daily_send_cap AS cap, ${isRepeated} AS is_repeated,
      ${REFUSAL} AS refusal,
      ${testBytes(`${TEST_ROW_BYTES} + ${byteLengths(['m.html', 'm.text'])}`)}
    FROM ${rowsWith(`${ROW_COLUMNS}, "recipientHash" bytea${keyColumns}`)}
    LEFT JOIN accounts a ON a.id = m."accountId"
    LEFT JOIN suppressions erased ON erased.account_id = m."accountId" AND erased.channel = m.channel
      AND erased.address_hash = m."recipientHash"
  )`;

/** The stored bytes of a group count with its first message: files once, the content once for each message. */
const INCOMING_GROUPS = `, incoming AS (
    SELECT m.*, m.ordinality AS position, a.daily_send_cap AS cap, ${HAS_KNOWN_KEY} AS is_repeated,
      NULL::text AS refusal,
      ${testBytes(`coalesce(m."fileBytes", 0) + coalesce(m.contents, 1)::bigint * (
        ${TEST_ROW_BYTES} + ${byteLengths(['m.html', 'm.text', 'm.headers::text', 'm.visible::text'])})`)}
    FROM ${rowsWith(`${ROW_COLUMNS}, ${KEY_COLUMNS}, role text, "groupId" text, tags text[], metadata jsonb,
      "resentFrom" text, headers jsonb, visible jsonb, "hasAttachments" boolean, "linkToken" text, contents integer,
      "fileBytes" integer`)}
    LEFT JOIN accounts a ON a.id = m."accountId"
  )`;

/** The columns that differ between the messages of a campaign. */
const CAMPAIGN_FIELDS = [
  'id',
  'createdAt',
  'recipient',
  'normalisedRecipient',
  'contactId',
  'subject',
] as const satisfies readonly (keyof MessageLog)[];

const INCOMING_CAMPAIGN = `, stored AS (
    SELECT l.id FROM message_logs l WHERE l.id = ANY($10)
  ), incoming AS (
    SELECT m.*, m.ordinality AS position, m.ordinality AS unit, 0 AS rest, a.id AS "accountId",
      NULL::text AS "apiKeyId", NULL::integer AS "keyLimit", 0 AS test_bytes,
      (a.daily_send_cap - a.daily_send_cap::bigint * (100 - a.campaign_cap_share) / 100)::integer AS cap,
      m.id IN (SELECT id FROM stored) AS is_repeated, CASE WHEN m."isSuppressed" THEN 'suppressed' END AS refusal, $13::text AS "topicId"
    FROM ${rowsWith(`${recordColumns(MessageLogSchema, CAMPAIGN_FIELDS)}, placeholders jsonb, "unsubscribeUrl" text,
      "isSuppressed" boolean`)}
    LEFT JOIN accounts a ON a.id = $5
  )`;

/**
 * Ranks the messages against what is left. All messages of a unit have the rank of its last one. Test content is
 * accepted while that of the messages before it is below the limit. So at most one goes beyond it, and a smaller one
 * does not fit after one that was refused.
 */
const ranked = (condition: string): string => `, ranked_by_key AS (
    SELECT i.position, i.unit, i.rest, i."accountId", i.cap, i."keyLimit", i.test_bytes,
      account.used AS account_used, account.test_bytes AS test_bytes_stored,
      CASE WHEN i."apiKeyId" IS NULL THEN 0 ELSE key.used END AS key_used,
      row_number() OVER (PARTITION BY i."apiKeyId" ORDER BY i.position) + i.rest AS key_rank
    FROM incoming i
    LEFT JOIN counters account ON account.subject_id = i."accountId"
    LEFT JOIN counters key ON key.subject_id = i."apiKeyId"
    WHERE ${condition}
  ), checked_by_key AS (
    SELECT *,
      key_used IS NOT NULL AND ("keyLimit" IS NULL OR key_used + key_rank <= "keyLimit") AS is_within_key_limit
    FROM ranked_by_key
  ), ranked AS (
    SELECT *, row_number() OVER same_account + rest AS account_rank,
      test_bytes_stored + sum(test_bytes) OVER same_account - test_bytes AS test_bytes_before
    FROM checked_by_key
    WINDOW same_account AS (PARTITION BY "accountId", is_within_key_limit ORDER BY position)
  )`;

/** Repeated and refused messages do not count towards the caps. */
const RANKED = ranked('NOT i.is_repeated AND i.refusal IS NULL');
const RANKED_AS_GROUPS = ranked('i.unit NOT IN (SELECT unit FROM incoming WHERE is_repeated)');

const WITHIN_CAPS = `
    SELECT i.* FROM incoming i JOIN ranked r USING (position)
    WHERE r.is_within_key_limit AND r.account_used + r.account_rank <= r.cap AND r.unit NOT IN (
      SELECT unit FROM ranked WHERE test_bytes > 0 AND test_bytes_before >= ${TEST_CONTENT_BYTES_PER_DAY})`;

/** A unit is accepted if all its keys could be stored. */
const CLAIMED = `, within_caps AS (${WITHIN_CAPS}
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
    SELECT * FROM within_caps WHERE unit NOT IN (
      SELECT unit FROM within_caps
      WHERE "idempotencyKey" IS NOT NULL AND id NOT IN (SELECT message_id FROM claimed_keys))
  )`;

const COUNTED = `, counted AS (
    UPDATE daily_usage u SET used = u.used + added.count, test_bytes = u.test_bytes + added.bytes
    FROM (
      SELECT subject_id, count(*), sum(test_bytes) AS bytes FROM (
        SELECT "accountId" AS subject_id, test_bytes FROM accepted
        UNION ALL SELECT "apiKeyId", 0 FROM accepted WHERE "apiKeyId" IS NOT NULL
      ) subject GROUP BY subject_id
    ) added
    WHERE u.subject_id = added.subject_id AND u.day = $3
  )`;

const PENDING_COLUMNS = 'message_id, account_id, channel, is_bulk_sms, next_attempt_at, sweep_at, scheduled_at';
const PENDING_VALUES = `id, "accountId", channel, channel = 'sms' AND "topicId" IS NOT NULL,
      coalesce("scheduledAt", '-infinity'), "sweepAt", "scheduledAt"`;

const STORED_MESSAGES = `, log AS (
    INSERT INTO message_logs (${LOG_COLUMNS}, status, contact_id) SELECT ${LOG_VALUES}, 'queued', ${CONTACT_ID}
    FROM accepted
  ), content AS (
    INSERT INTO message_contents (message_id, html, text, unsubscribe_url)
    SELECT id, html, text, "unsubscribeUrl" FROM accepted
  ), pending AS (
    INSERT INTO pending_deliveries (${PENDING_COLUMNS}) SELECT ${PENDING_VALUES} FROM accepted
  )`;

/** The body of the group `g` with the unsubscribe link of the message. */
const withOwnLink = (body: string): string => `CASE WHEN m."linkToken" IS NULL OR m.id = g.id THEN ${body}
        ELSE replace(${body}, g."linkToken", m."linkToken") END`;

const STORED_GROUPS = `, log AS (
    INSERT INTO message_logs (${LOG_COLUMNS}, status, contact_id, role, group_id, tags, metadata, resent_from)
    SELECT ${LOG_VALUES}, 'queued', ${CONTACT_ID}, role, "groupId", tags, metadata, "resentFrom"
    FROM accepted
  ), content AS (
    INSERT INTO message_contents (message_id, html, text, unsubscribe_url, headers, visible, has_attachments)
    SELECT m.id, ${withOwnLink('g.html')}, ${withOwnLink('g.text')}, m."unsubscribeUrl", g.headers, g.visible,
      g."hasAttachments"
    FROM accepted m JOIN accepted g ON g.id = coalesce(m."groupId", m.id)
  ), pending AS (
    INSERT INTO pending_deliveries (${PENDING_COLUMNS}) SELECT ${PENDING_VALUES} FROM accepted
  ), tagged AS (
    INSERT INTO message_tags (account_id, tag, message_id) SELECT "accountId", unnest(tags), id FROM accepted
  ), attached AS (
    INSERT INTO message_attachments
      (group_id, number, part, account_id, filename, content_type, content_id, size, bytes)
    SELECT a.id, p.number, p.part, a."accountId", p.filename, p."contentType", p."contentId", p.size,
      substring($6::bytea FROM p.start FOR p.length)
    FROM json_to_recordset($5::json) AS p (
      "groupId" text, number integer, part integer, filename text, "contentType" text, "contentId" text, size integer,
      start integer, length integer)
    JOIN accepted a ON a.id = p."groupId"
  )`;

/** The ids were assigned before, so a concurrent statement may have stored the same. */
const STORED_CAMPAIGN = `, within_caps AS (${WITHIN_CAPS}
  ), log AS (
    INSERT INTO message_logs (${columnNames(MessageLogSchema, CAMPAIGN_FIELDS)}, account_id, campaign_id, sender,
      sender_name, reply_to, topic_id, channel, status)
    SELECT ${CAMPAIGN_FIELDS.map((field) => `"${field}"`).join(', ')}, $5, $6, $7, $8, $9, $13, 'email', 'queued'
    FROM within_caps ORDER BY id
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  ), accepted AS (
    SELECT w.* FROM within_caps w JOIN log USING (id)
  ), content AS (
    INSERT INTO message_contents (message_id, placeholders, unsubscribe_url)
    SELECT id, placeholders, "unsubscribeUrl" FROM accepted
  ), pending AS (
    INSERT INTO pending_deliveries
      (message_id, account_id, channel, campaign_id, accepted_at, next_attempt_at, sweep_at)
    SELECT id, $5, 'email', $6, $11::timestamptz, '-infinity', $12::timestamptz FROM accepted
  )`;

/** The last row of each unit, in order. `outcome` is null if its account or a counter is gone. */
const OUTCOMES = `
  SELECT DISTINCT ON (i.unit) CASE
      WHEN a.id IS NOT NULL THEN 'accepted'
      WHEN i.is_repeated OR (r.unit IS NULL AND i.refusal IS NULL) THEN 'duplicate'
      WHEN i.refusal IS NOT NULL THEN i.refusal
      WHEN r.cap + r.account_used + r.key_used IS NULL THEN NULL
      WHEN NOT r.is_within_key_limit THEN 'key_limit_reached'
      WHEN r.account_used + r.account_rank > r.cap THEN 'account_cap_reached'
      WHEN r.test_bytes_before >= ${TEST_CONTENT_BYTES_PER_DAY} THEN 'test_content_limit_reached'
      ELSE 'duplicate' END AS outcome,
    CASE WHEN i.refusal = 'out_of_topic' THEN ${topicName('i."topicId"')} END AS topic, r.cap AS "accountCap", (r.account_used + r.account_rank)::integer AS "accountUsed",
    r."keyLimit", (r.key_used + r.key_rank)::integer AS "keyUsed",
    (r.test_bytes_before + r.test_bytes)::float8 AS "testBytes",
    least(r.cap - r.account_used, r."keyLimit" - r.key_used) AS room
  FROM incoming i LEFT JOIN ranked r USING (position) LEFT JOIN accepted a USING (position)
  ORDER BY i.unit, i.position DESC`;

/**
 * Counts units of messages under the caps and stores those within them, each as a whole or not at all, in one statement
 * and so in one transaction. $1: the messages as a JSON array, $2: their accounts and keys, $3: the UTC day, $4: how
 * long to wait for locked counters, in milliseconds. Returns one row per unit.
 *
 * The counters are locked first and then read; each unit is ranked against what is left. Concurrent statements together
 * never exceed a cap. A unit over a cap takes its rank from the units after it: those that are smaller must be tried
 * again.
 */
export const ACCEPT =
  COUNTERS +
  incomingMessages('', 'false') +
  RANKED +
  `, accepted AS (${WITHIN_CAPS}\n  )` +
  COUNTED +
  STORED_MESSAGES +
  OUTCOMES;

/**
 * Like ACCEPT, if some of the messages have an Idempotency-Key: `duplicate` if it is that of an earlier message, which
 * may be one of this statement. A key that another transaction stores meanwhile is found by the constraint; that
 * duplicate was ranked, so units over a cap must be tried again.
 */
export const ACCEPT_ONCE =
  COUNTERS +
  incomingMessages(`, ${KEY_COLUMNS}`, HAS_KNOWN_KEY) +
  RANKED +
  CLAIMED +
  COUNTED +
  STORED_MESSAGES +
  OUTCOMES;

/**
 * Like ACCEPT, for groups of messages. $5: the parts of their attachments, $6: the bytes of these parts. Exact for a
 * unit with more than one key only if the counters were locked (LOCK_COUNTERS) before the statement began.
 */
export const ACCEPT_GROUPS =
  COUNTERS + INCOMING_GROUPS + RANKED_AS_GROUPS + CLAIMED + COUNTED + STORED_GROUPS + OUTCOMES;

/**
 * Like ACCEPT, for messages of a campaign, each a unit: `duplicate` if it was stored before. $5 account, $6 campaign,
 * $7 sender, $8 its name, $9 Reply-To, $10 the message ids, repeated so that only their partitions are read, $11 now,
 * $12 when the sweep enqueues those that have no job, $13 topic.
 */
export const ACCEPT_CAMPAIGN = COUNTERS + INCOMING_CAMPAIGN + RANKED + STORED_CAMPAIGN + COUNTED + OUTCOMES;

/**
 * $1: ids of accounts and keys, $2: the UTC day, $3: how long to wait for counters that are being inserted, in
 * milliseconds.
 */
export const START_COUNTERS = `
  INSERT INTO daily_usage (subject_id, day, used)
  SELECT subject, $2, 0 FROM unnest($1::text[]) AS subject
  WHERE ${limitsLockWait('$3')}
  ORDER BY subject
  ON CONFLICT DO NOTHING`;

/** $1 accounts and keys, $2 the UTC day. */
export const LOCK_COUNTERS = lockedCounters('$1', '$2');

/** The counters that no other transaction has locked. $1 accounts and keys, $2 the UTC day. */
export const FREE_COUNTERS = `
  SELECT subject_id AS id FROM daily_usage WHERE subject_id = ANY($1) AND day = $2 FOR UPDATE SKIP LOCKED`;

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

/** Stores one part of an attachment, before its group. */
export const STORE_PART = `
  INSERT INTO message_attachments
    (group_id, number, part, account_id, filename, content_type, content_id, size, bytes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
