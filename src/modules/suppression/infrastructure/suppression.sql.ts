import { findByKey } from '../../../platform/database/find-by-key.sql.js';
import { unnestParameters } from '../../../platform/database/list-parameter.sql.js';
import { lacksConsent, topicWithdrawals } from '../../consent/index.js';
import { topicName, topicRefusal } from '../../topics/index.js';
import type { Submission } from '../application/ports/suppression.repository.js';
import { AUTOMATIC_SOURCES, REASON_PRECEDENCE, WEAKEST_SOURCE } from '../domain/suppression-precedence.js';

export const COLUMNS = `s.id, s.account_id AS "accountId", s.channel, coalesce(s.address, '') AS address,
  coalesce(s.given_address, s.address, '') AS "givenAddress", s.reason, s.source, s.note, s.message_log_id AS "messageLogId",
  s.contact_id AS "contactId", s.campaign_id AS "campaignId", s.created_at AS "createdAt"`;

const ASKED = {
  account: 'requested.account_id',
  channel: 'requested.channel',
  address: 'requested.address',
  hash: "encode(requested.hash, 'hex')",
  // Workers of the release before topics store none with the messages of a campaign.
  topic: 'coalesce(requested.topic_id, c.topic_id)',
};

const IS_LISTED = findByKey(
  {
    table: 'suppressions',
    key: { account_id: ASKED.account, channel: ASKED.channel, address: ASKED.address },
  },
  'true',
);

/**
 * One row per submission, in order: the join is on a unique key. Of erased addresses only the hash is stored. Only a
 * campaign that is neither running nor paused can be deleted: one that is gone but has messages left was canceled. With
 * OFFSET 0 the planner writes an expression that is used twice only once.
 */
export const SUBMISSION_REFUSALS = `
  SELECT refusal, CASE WHEN refusal = 'out_of_topic' THEN ${topicName('topic_id')} END AS topic
  FROM (SELECT requested.position, ${ASKED.topic} AS topic_id, CASE
    WHEN ${IS_LISTED} OR EXISTS (
      SELECT FROM suppressions e
      WHERE e.account_id = requested.account_id AND e.channel = requested.channel AND e.address_hash = requested.hash)
      THEN 'suppressed'
    WHEN c.status = 'paused' THEN 'campaign_paused'
    WHEN c.status = 'canceled' OR (c.id IS NULL AND requested.campaign_id IS NOT NULL)
      THEN 'campaign_canceled'
    WHEN about_topic.refusal = 'out_of_topic' THEN about_topic.refusal
    WHEN c.id IS NOT NULL AND ${lacksConsent({ ...ASKED, purpose: "'marketing'" })}
      THEN 'no_consent'
    ELSE about_topic.refusal END AS refusal
  FROM ${unnestParameters('text', 'text', 'text', 'bytea', 'text', 'text')} WITH ORDINALITY
    AS requested (account_id, channel, address, hash, campaign_id, topic_id, position)
  LEFT JOIN campaigns c ON c.id = requested.campaign_id AND c.account_id = requested.account_id
  CROSS JOIN LATERAL (SELECT ${topicRefusal(ASKED)} AS refusal OFFSET 0) about_topic
  OFFSET 0) checked
  ORDER BY position`;

interface HashedSubmission extends Submission {
  /** As the hash of AddressHashes. */
  addressHash: string;
}

/** The parameters of SUBMISSION_REFUSALS. */
export const submissionValues = (submissions: readonly HashedSubmission[]): unknown[] => [
  submissions.map(({ accountId }) => accountId),
  submissions.map(({ channel }) => channel),
  submissions.map(({ address }) => address),
  submissions.map(({ addressHash }) => addressHash),
  submissions.map(({ campaignId }) => campaignId),
  submissions.map(({ topicId }) => topicId),
];

export const FIND = `
  SELECT ${COLUMNS} FROM suppressions s WHERE s.account_id = $1 AND s.channel = $2 AND (s.address = $3 OR s.address_hash = $4)`;

export const GET = `SELECT ${COLUMNS} FROM suppressions s WHERE s.account_id = $1 AND s.id = $2`;

/**
 * Returns a row without an address, too, if the account has erased any. The addresses are looked up one by one, because
 * planning a comparison with ANY of them takes several times as long.
 */
export const REASONS = `
  SELECT found.* FROM unnest($3::text[]) AS requested (address)
  CROSS JOIN LATERAL (
    SELECT s.address, s.reason FROM suppressions s
    WHERE s.account_id = $1 AND s.channel = $2 AND s.address = requested.address OFFSET 0
  ) found
  UNION ALL
  SELECT NULL, NULL WHERE EXISTS (
    SELECT FROM suppressions e WHERE e.account_id = $1 AND e.channel = $2 AND e.address_hash IS NOT NULL)`;

export const ERASED = `
  SELECT requested.address FROM unnest($3::text[], $4::bytea[]) AS requested (address, hash)
  JOIN suppressions e ON e.account_id = $1 AND e.channel = $2 AND e.address_hash = requested.hash`;

const array = (texts: readonly string[]) => `ARRAY['${texts.join("', '")}']`;
const isAutomatic = (row: string) => `${row}.source = ANY (${array(AUTOMATIC_SOURCES)})`;
const isFromOperator = (source: string) => `${source} <> ALL (${array([...AUTOMATIC_SOURCES, WEAKEST_SOURCE])})`;
const rankOf = (row: string) => `array_position(${array(REASON_PRECEDENCE)}, ${row}.reason)`;
const sourceRankOf = (row: string) => `array_position(${array(AUTOMATIC_SOURCES)}, ${row}.source)`;
/** Ids start with 'c': 'd', for no message, sorts after all of them. */
const messageOf = (row: string) => `coalesce(${row}.message_log_id, 'd')`;
/** `takesPrecedence` in SQL. */
const takesPrecedence = (cause: string, existing: string) =>
  `(${existing}.source = '${WEAKEST_SOURCE}' AND ${cause}.source <> '${WEAKEST_SOURCE}')
      OR (${isAutomatic(cause)} AND
        (${rankOf(cause)}, NOT ${isAutomatic(existing)}, ${messageOf(existing)}, ${sourceRankOf(existing)})
        > (${rankOf(existing)}, FALSE, ${messageOf(cause)}, ${sourceRankOf(cause)}))`;

/**
 * Sorted, so that two calls with the same addresses lock them in the same order. If an address has several causes, it
 * keeps one over which none of the others takes precedence.
 */
export const ADD_ACROSS_ACCOUNTS = `
  WITH cause AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::timestamptz[], $11::bytea[], $12::text[], $13::text[]) WITH ORDINALITY
    AS c (id, account_id, channel, address, reason, source, note, message_log_id, contact_id, created_at, hash,
      campaign_id, given_address, position)
  ), existing AS MATERIALIZED (
    SELECT s.id, s.reason, s.source FROM (SELECT DISTINCT account_id, channel, address FROM cause) c
    JOIN suppressions s ON s.account_id = c.account_id AND s.channel = c.channel AND s.address = c.address
  ), written AS (
    INSERT INTO suppressions AS s
      (id, account_id, channel, address, given_address, reason, source, note, message_log_id, contact_id, campaign_id,
      created_at, is_blocked)
    SELECT DISTINCT ON (account_id, channel, address)
      id, account_id, channel, address, nullif(given_address, address), reason, source, note, message_log_id, contact_id,
      campaign_id, created_at, ${isFromOperator('source')}
    FROM cause
    WHERE NOT EXISTS (
      SELECT FROM suppressions e
      WHERE e.account_id = cause.account_id AND e.channel = cause.channel AND e.address_hash = cause.hash)
    ORDER BY account_id, channel, address, cause.source = '${WEAKEST_SOURCE}',
      CASE WHEN ${isAutomatic('cause')} THEN ${rankOf('cause')} END DESC NULLS LAST, ${messageOf('cause')} COLLATE "C",
      ${sourceRankOf('cause')}, cause.position
    ON CONFLICT (account_id, channel, address) DO UPDATE
    SET reason = excluded.reason, source = excluded.source, message_log_id = excluded.message_log_id,
      contact_id = excluded.contact_id, campaign_id = excluded.campaign_id, note = coalesce(s.note, excluded.note),
      is_blocked = s.is_blocked OR excluded.is_blocked
    WHERE ${takesPrecedence('excluded', 's')}
    RETURNING ${COLUMNS}
  )
  SELECT w.*, existing.reason AS "formerReason", existing.source AS "formerSource" FROM written w LEFT JOIN existing ON existing.id = w.id`;

/**
 * $1 account, $2 id, $3 reason and $4 source that the entry must have, null for any. With either, its address must not
 * have been erased.
 */
export const REMOVE = `
  DELETE FROM suppressions s
  WHERE s.account_id = $1 AND s.id = $2 AND ($3::text IS NULL OR s.reason = $3) AND ($4::text IS NULL OR s.source = $4)
    AND (s.address IS NOT NULL OR coalesce($3, $4) IS NULL)
  RETURNING ${COLUMNS}`;

/** $1 account, $2 email, $3 its hash, $4 contact. */
export const ERASE_ADDRESS = `
  UPDATE suppressions s SET address = NULL, given_address = NULL, address_hash = $3, note = NULL, contact_id = $4
  WHERE s.account_id = $1 AND s.channel = 'email' AND s.address = $2 RETURNING s.id`;

export const ADD_ERASED = `
  INSERT INTO suppressions (id, account_id, channel, address_hash, reason, source, contact_id, created_at)
  VALUES ($1, $2, 'email', $3, 'manual', 'dashboard', $4, $5)`;

/** $1 account, $2 email. */
export const REMOVE_ADDRESS = `
  DELETE FROM suppressions s WHERE s.account_id = $1 AND s.channel = 'email' AND s.address = $2`;

/** $1 account, $2 contact. */
export const FIND_ERASED_CONTACT = `
  SELECT s.id FROM suppressions s WHERE s.account_id = $1 AND s.contact_id = $2 AND s.address_hash IS NOT NULL`;

/** $1 account, $2 numbers. If an entry has another cause too, that cause is its source. */
export const REMOVE_SYNCED = `
  DELETE FROM suppressions s
  WHERE s.account_id = $1 AND s.channel = 'sms' AND s.source = '${WEAKEST_SOURCE}' AND s.address = ANY($2) RETURNING s.id`;

/** $1 accounts, $2 numbers. A number that an operator blocks stays blocked when its owner revokes an opt-out. */
export const BLOCK_NUMBERS = `
  UPDATE suppressions s SET is_blocked = true
  FROM unnest($1::text[], $2::text[]) AS blocked (account_id, address)
  WHERE s.account_id = blocked.account_id AND s.channel = 'sms' AND s.address = blocked.address AND NOT s.is_blocked`;

/** $1 account, $2 number. */
export const REMOVE_OPT_OUT = `
  DELETE FROM suppressions s
  WHERE s.account_id = $1 AND s.channel = 'sms' AND s.address = $2 AND s.reason = 'sms_opt_out'
    AND s.source = 'provider' AND NOT s.is_blocked`;

/** $1 account, $2 campaigns. A recipient who leaves a topic and then unsubscribes from everything counts once. */
export const COUNT_UNSUBSCRIBED = `
  SELECT campaign_id AS "campaignId", count(*)::integer AS unsubscribed FROM (
    SELECT s.campaign_id, coalesce(s.address, encode(s.address_hash, 'hex')) AS address FROM suppressions s
    WHERE s.account_id = $1 AND s.campaign_id = ANY ($2) AND s.channel = 'email' AND s.reason = 'unsubscribed'
    UNION ${topicWithdrawals('$1', '$2')}) left_by
  GROUP BY campaign_id`;
