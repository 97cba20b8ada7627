import { columnNames, recordColumns } from '../../../../platform/database/columns.js';
import { ACCEPTED_FIELDS } from '../../domain/message-log.js';
import { MessageLogSchema } from '../message-log.schema.js';
import {
  CLAIM_KEYS,
  CONTACT_ID,
  forEachLocking,
  HAS_NEW_KEY,
  IS_WITHIN_CAPS,
  lockedCounters,
  type Locking,
  PENDING_COLUMNS,
  pendingValues,
} from './accept.sql.js';

/** Locks the counters and ranks the groups against what is left: `accepted` are those within the caps. */
const rankedGroups = (locking: Locking): string => `
  WITH incoming AS (
    SELECT g.*, a.daily_send_cap AS cap
    FROM json_to_recordset($1::json) AS g (
      position integer, size integer, id text, "accountId" text, "apiKeyId" text, "keyLimit" integer,
      "createdAt" timestamptz, "sweepAt" timestamptz, html text, text text, "linkToken" text, headers jsonb,
      visible jsonb, "hasAttachments" boolean, "idempotencyKey" text, fingerprint text)
    LEFT JOIN accounts a ON a.id = g."accountId"
  ), counters AS (${lockedCounters('$3', '$4', locking)}
  ), ranked_by_key AS (
    SELECT i.position, i.size, i.cap, account.used AS account_used, i."keyLimit", i."accountId",
      CASE WHEN i."apiKeyId" IS NULL THEN 0 ELSE key.used END AS key_used,
      sum(i.size) OVER (PARTITION BY i."apiKeyId" ORDER BY i.position) AS key_rank
    FROM incoming i
    LEFT JOIN counters account ON account.subject_id = i."accountId"
    LEFT JOIN counters key ON key.subject_id = i."apiKeyId"
    WHERE ${HAS_NEW_KEY}
  ), checked_by_key AS (
    SELECT *,
      key_used IS NOT NULL AND ("keyLimit" IS NULL OR key_used + key_rank <= "keyLimit") AS is_within_key_limit
    FROM ranked_by_key
  ), ranked AS (
    SELECT *, sum(size) OVER (PARTITION BY "accountId", is_within_key_limit ORDER BY position) AS account_rank
    FROM checked_by_key
  ), ${CLAIM_KEYS}`;

/** Counts the accepted groups and stores their messages. */
const STORE_ACCEPTED = `, counted AS (
    UPDATE daily_usage u SET used = u.used + added.messages
    FROM (
      SELECT subject_id, sum(size) AS messages FROM (
        SELECT "accountId" AS subject_id, size FROM accepted
        UNION ALL SELECT "apiKeyId", size FROM accepted WHERE "apiKeyId" IS NOT NULL
      ) subject GROUP BY subject_id
    ) added
    WHERE u.subject_id = added.subject_id AND u.day = $4
  ), messages AS (
    SELECT m.* FROM json_to_recordset($2::json) AS m (
      "group" integer, ${recordColumns(MessageLogSchema, ACCEPTED_FIELDS)}, role text, "groupId" text, tags text[],
      metadata jsonb, "resentFrom" text, "unsubscribeUrl" text, "linkToken" text, "idempotencyKey" text,
      fingerprint text)
    JOIN accepted a ON a.position = m."group"
  ), keys_of_copies AS (
    INSERT INTO idempotency_keys (account_id, api_key_id, key, fingerprint, message_id, created_at)
    SELECT "accountId", coalesce("apiKeyId", ''), "idempotencyKey", fingerprint, id, "createdAt"
    FROM messages WHERE "idempotencyKey" IS NOT NULL
    ON CONFLICT DO NOTHING
  ), log AS (
    INSERT INTO message_logs (${columnNames(MessageLogSchema, ACCEPTED_FIELDS)}, status, contact_id, role, group_id,
      tags, metadata, resent_from)
    SELECT ${ACCEPTED_FIELDS.map((field) => `"${field}"`).join(', ')}, 'queued', ${CONTACT_ID}, role, "groupId",
      tags, metadata, "resentFrom"
    FROM messages
  ), content AS (
    INSERT INTO message_contents (message_id, html, text, unsubscribe_url, headers, visible, has_attachments)
    SELECT m.id, ${withOwnLink('a.html')}, ${withOwnLink('a.text')}, m."unsubscribeUrl", a.headers,
      a.visible, a."hasAttachments"
    FROM messages m JOIN accepted a ON a.position = m."group"
  ), pending AS (
    INSERT INTO pending_deliveries (${PENDING_COLUMNS}) SELECT ${pendingValues('a."sweepAt"')}
    FROM messages m JOIN accepted a ON a.position = m."group"
  ), tagged AS (
    INSERT INTO message_tags (account_id, tag, message_id) SELECT "accountId", unnest(tags), id FROM messages
  ), attached AS (
    INSERT INTO message_attachments
      (group_id, number, part, account_id, filename, content_type, content_id, size, bytes)
    SELECT a.id, p.number, p.part, a."accountId", p.filename, p."contentType", p."contentId", p.size,
      substring($6::bytea FROM p.start FOR p.length)
    FROM json_to_recordset($5::json) AS p (
      "group" integer, number integer, part integer, filename text, "contentType" text, "contentId" text, size integer,
      start integer, length integer)
    JOIN accepted a ON a.position = p."group"
  )
  SELECT a.id IS NOT NULL AS "isAccepted", r.position IS NULL OR (a.id IS NULL AND ${IS_WITHIN_CAPS}) AS "isDuplicate",
    r.cap + r.account_used + r.key_used IS NOT NULL AS "hasCounters", r.cap AS "accountCap", r."keyLimit",
    CASE WHEN r.is_within_key_limit THEN least(r.account_used + r.account_rank, r.cap)
      ELSE r.account_used END::integer AS "accountUsed",
    CASE WHEN NOT r.is_within_key_limit THEN r."keyLimit" WHEN a.id IS NULL THEN r.key_used + r.key_rank - r.size
      ELSE r.key_used + r.key_rank END::integer AS "keyUsed",
    r.size <= r.cap - r.account_used AND (r."keyLimit" IS NULL OR r.size <= r."keyLimit" - r.key_used) AS "fitsAlone"
  FROM incoming i LEFT JOIN ranked r USING (position) LEFT JOIN accepted a USING (position)
  ORDER BY position`;

/**
 * Counts groups of messages under the caps and stores those within them, each as a whole or not at all, in one
 * statement. $1: the groups as a JSON array, $2: their messages, $3: their accounts and keys, $4: the UTC day, $5: the
 * parts of their attachments, $6: the bytes of these parts. Returns one row per group, like ACCEPT_ONCE.
 *
 * Like ACCEPT, but a group is ranked by the messages up to its last. A refused group may be followed by a smaller one
 * that fits: those must be tried again one by one.
 */
export const ACCEPT_GROUPS = forEachLocking((locking) => rankedGroups(locking) + STORE_ACCEPTED);

/** The body of the group with the unsubscribe link of the message. */
function withOwnLink(body: string): string {
  return `CASE WHEN m."linkToken" IS NULL THEN ${body} ELSE replace(${body}, a."linkToken", m."linkToken") END`;
}

/** Stores one part of an attachment, before its group. */
export const STORE_PART = `
  INSERT INTO message_attachments
    (group_id, number, part, account_id, filename, content_type, content_id, size, bytes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
