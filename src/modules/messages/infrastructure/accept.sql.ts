export const START_COUNTERS = `
  INSERT INTO daily_usage (subject_id, day, used) SELECT subject, $2, 0 FROM unnest($1::text[]) AS subject ORDER BY subject
  ON CONFLICT DO NOTHING`;

/** A look-up for each row, by the unique key: a plan of a join, made while there are few contacts, would read all of them later. */
const CONTACT_ID = `CASE WHEN channel = 'email' THEN (SELECT c.id FROM contacts c
        WHERE c.account_id = "accountId" AND c.normalised_email = "normalisedRecipient") END`;

/** How long a request with an Idempotency-Key is remembered. */
export const REMEMBERED_FOR = '24 hours';

const HAS_ROOM = 'j.key_has_room AND j.account_used + j.account_rank <= j.cap';
const ROOMY = `
    SELECT i.* FROM incoming i JOIN judged j USING (position)
    WHERE ${HAS_ROOM}`;

/**
 * Counts messages under the caps and stores those that have room, all in one statement and so in one transaction.
 * $1: the messages as a JSON array, $2: their accounts and keys, $3: the UTC day. Answers a row per message, in order; not
 * `known` is one whose account or counters are gone.
 *
 * The counters are locked first (in one order, so that two statements cannot block each other) and read as they then
 * stand; each message is ranked against what is left. No concurrent statement can let one message too many through.
 */
export const ACCEPT = accept({
  marks: '',
  ofFresh: '',
  accepted: `accepted AS (${ROOMY}
  )`,
  isRepeated: 'false',
  rows: 'judged j',
});

/**
 * The same where some of the messages have an Idempotency-Key. `isRepeated`: the key already stands for a message, of this
 * batch too, and nothing was counted or stored. What stands when the statement begins takes no place among the ranks.
 * One that another process stores meanwhile is found by the constraint; such a row has taken a place, so those that
 * were refused beside it are to be judged once more.
 */
export const ACCEPT_ONCE = accept({
  marks: ', "idempotencyKey" text, fingerprint text',
  ofFresh: `
    WHERE i."idempotencyKey" IS NULL OR NOT EXISTS (
      SELECT FROM idempotency_keys k
      WHERE k.account_id = i."accountId" AND k.api_key_id = i."apiKeyId" AND k.key = i."idempotencyKey"
        AND k.created_at > i."createdAt" - interval '${REMEMBERED_FOR}')`,
  accepted: `roomy AS (${ROOMY}
  ), claimed AS (
    INSERT INTO idempotency_keys AS k (account_id, api_key_id, key, fingerprint, message_id, created_at)
    SELECT DISTINCT ON ("accountId", "apiKeyId", "idempotencyKey")
      "accountId", "apiKeyId", "idempotencyKey", fingerprint, id, "createdAt"
    FROM roomy WHERE "idempotencyKey" IS NOT NULL
    ORDER BY "accountId", "apiKeyId", "idempotencyKey", position
    ON CONFLICT (account_id, api_key_id, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, message_id = excluded.message_id, created_at = excluded.created_at
      WHERE k.created_at <= excluded.created_at - interval '${REMEMBERED_FOR}'
    RETURNING message_id
  ), accepted AS (
    SELECT * FROM roomy WHERE "idempotencyKey" IS NULL OR id IN (SELECT message_id FROM claimed)
  )`,
  isRepeated: `j.position IS NULL OR (a.id IS NULL AND ${HAS_ROOM})`,
  rows: 'incoming i LEFT JOIN judged j USING (position)',
});

type Parts = Record<'marks' | 'ofFresh' | 'accepted' | 'isRepeated' | 'rows', string>;

function accept({ marks, ofFresh, accepted, isRepeated, rows }: Parts): string {
  return `
  WITH incoming AS (
    SELECT r.*, a.daily_send_cap AS cap
    FROM json_to_recordset($1::json) AS r (
      position integer, "keyLimit" integer, id text, "accountId" text, channel text, recipient text,
      "normalisedRecipient" text, sender text, "senderName" text, "replyTo" text, subject text, "templateId" text,
      "apiKeyId" text, html text, text text, "unsubscribeUrl" text, segments smallint, encoding text, "createdAt" timestamptz, "sweepAt" timestamptz${marks})
    LEFT JOIN accounts a ON a.id = r."accountId"
  ), counter AS (
    SELECT subject_id, used FROM daily_usage WHERE subject_id = ANY($2) AND day = $3 ORDER BY subject_id FOR UPDATE
  ), ranked AS (
    SELECT i.position, i.cap, account.used AS account_used, i."keyLimit", CASE WHEN i."apiKeyId" IS NULL THEN 0 ELSE key.used END AS key_used,
      row_number() OVER (PARTITION BY i."apiKeyId" ORDER BY i.position) AS key_rank, i."accountId"
    FROM incoming i
    LEFT JOIN counter account ON account.subject_id = i."accountId"
    LEFT JOIN counter key ON key.subject_id = i."apiKeyId"${ofFresh}
  ), keyed AS (
    SELECT *, key_used IS NOT NULL AND ("keyLimit" IS NULL OR key_used + key_rank <= "keyLimit") AS key_has_room FROM ranked
  ), judged AS (
    SELECT *, row_number() OVER (PARTITION BY "accountId", key_has_room ORDER BY position) AS account_rank FROM keyed
  ), ${accepted}, counted AS (
    UPDATE daily_usage u SET used = u.used + added.count
    FROM (
      SELECT subject_id, count(*) FROM (
        SELECT "accountId" AS subject_id FROM accepted UNION ALL SELECT "apiKeyId" FROM accepted WHERE "apiKeyId" IS NOT NULL
      ) subject GROUP BY subject_id
    ) added
    WHERE u.subject_id = added.subject_id AND u.day = $3
  ), log AS (
    INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, sender_name,
      reply_to, subject, template_id, api_key_id, contact_id, segments, encoding, created_at)
    SELECT id, "accountId", channel, 'queued', recipient, "normalisedRecipient", sender, "senderName", "replyTo", subject,
      "templateId", "apiKeyId", ${CONTACT_ID}, segments, encoding, "createdAt" FROM accepted
  ), content AS (
    INSERT INTO message_contents (message_id, html, text, unsubscribe_url)
    SELECT id, html, text, "unsubscribeUrl" FROM accepted
  ), pending AS (
    INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at)
    SELECT id, "accountId", channel, '-infinity', "sweepAt" FROM accepted
  )
  SELECT a.id IS NOT NULL AS accepted, ${isRepeated} AS "isRepeated", j.cap + j.account_used + j.key_used IS NOT NULL AS known, j.cap AS "accountCap", j."keyLimit",
    CASE WHEN j.key_has_room THEN least(j.account_used + j.account_rank, j.cap) ELSE j.account_used END::integer AS "accountUsed",
    CASE WHEN NOT j.key_has_room THEN j."keyLimit" WHEN a.id IS NULL THEN j.key_used + j.key_rank - 1
      ELSE j.key_used + j.key_rank END::integer AS "keyUsed"
  FROM ${rows} LEFT JOIN accepted a USING (position)
  ORDER BY position`;
}
