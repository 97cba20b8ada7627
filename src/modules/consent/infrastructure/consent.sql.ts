import { REPEATED_WITHIN_MS } from '../domain/consent.js';

/** A ConsentRecord from the row `r`. */
export const COLUMNS = `r.id, r.account_id AS "accountId", r.channel, coalesce(r.given_address, r.address) AS address,
  r.contact_id AS "contactId", r.purpose, r.topic_id AS "topicId", r.action, r.source, r.occurred_at AS "occurredAt",
  r.recorded_at AS "recordedAt", r.form_id AS "formId", r.ip, r.user_agent AS "userAgent",
  r.message_log_id AS "messageLogId", r.evidence,
  CASE WHEN r.wording_text IS NOT NULL
    THEN json_build_object('version', r.wording_version, 'text', r.wording_text) END AS wording,
  json_build_object('type', r.actor_type, 'id', r.actor_id) AS actor`;

export const GET = `SELECT ${COLUMNS} FROM consent_records r WHERE r.account_id = $1 AND r.id = $2`;

/** $1 account, $2 channel, $3 address, $4 its hash. */
export const LIST_STANDING = `
  SELECT s.purpose, nullif(s.topic_id, '') AS "topicId", s.state, s.occurred_at AS since, s.consent_id AS "consentId"
  FROM standing_consents s WHERE s.account_id = $1 AND s.channel = $2 AND s.address IN ($3, $4)`;

/** $1 account, $2 number. */
export const LOCK_STANDING_OF_NUMBER = `
  SELECT FROM standing_consents s WHERE s.account_id = $1 AND s.channel = 'sms' AND s.address = $2
  ORDER BY s.purpose, s.topic_id FOR UPDATE`;

/** $1 account, $2 number. Rows of LatestRecord. */
export const LATEST_OF_NUMBER = `
  SELECT DISTINCT ON (r.topic_id, k.is_stop)
    r.id, r.topic_id AS "topicId", r.action, r.occurred_at AS "occurredAt", k.is_stop AS "isStop"
  FROM consent_records r CROSS JOIN LATERAL (
    SELECT r.source = 'sms' AND r.action = 'withdrawn' AND r.topic_id IS NULL AS is_stop) k
  WHERE r.account_id = $1 AND r.channel = 'sms' AND r.address = $2 AND r.purpose = 'marketing'
    AND r.action <> 'requested'
  ORDER BY r.topic_id, k.is_stop, r.occurred_at DESC, r.id DESC`;

/** Two imports of the same rows: the second sees what the first has recorded. $1 accounts. */
export const LOCK_REPEATABLE = `
  SELECT pg_advisory_xact_lock(7203119, hashtext(account_id))
  FROM (SELECT DISTINCT account_id FROM unnest($1::text[]) AS a (account_id) ORDER BY account_id) locked`;

const IS_LATER = '(excluded.occurred_at, excluded.consent_id) > (s.occurred_at, s.consent_id)';
const KEEP_LATEST = `
  ON CONFLICT (account_id, channel, address, purpose, topic_id) DO UPDATE
  SET state = excluded.state, occurred_at = excluded.occurred_at, consent_id = excluded.consent_id WHERE ${IS_LATER}`;

/**
 * Moves the standing consents of an address to its hash, or back. $1 accounts, $2 channels, $3 the former values, $4
 * the new ones.
 */
export const RENAME_STANDING = `
  WITH moved AS (
    DELETE FROM standing_consents s
    USING (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
      AS n (account_id, channel, former, name)) n
    WHERE s.account_id = n.account_id AND s.channel = n.channel AND s.address = n.former
    RETURNING s.account_id, s.channel, n.name, s.purpose, s.topic_id, s.state, s.occurred_at, s.consent_id
  )
  INSERT INTO standing_consents AS s (account_id, channel, address, purpose, topic_id, state, occurred_at, consent_id)
  SELECT * FROM moved
  ${KEEP_LATEST}`;

/**
 * Selects those of the accounts $1 that have standing consents of an erased person. The index is for this condition.
 */
export const HAVE_ERASED = `
  SELECT a.id FROM unnest($1::text[]) AS a (id) CROSS JOIN LATERAL (
    SELECT FROM standing_consents s WHERE s.account_id = a.id AND s.address ~ '^[0-9a-f]{64}$' LIMIT 1) erased`;

/** The standing consents for the address and purpose of the given record `g`. */
const STANDS = `FROM standing_consents s
    WHERE s.account_id = g."accountId" AND s.channel = g.channel AND s.address = g.address AND s.purpose = g.purpose`;

const REPEATED_WITHIN = `${REPEATED_WITHIN_MS} * interval '1 millisecond'`;

/** Whether the purpose of `g` is withdrawn for its topic or, without one, for all topics, as its condition asks. */
const IS_WITHDRAWN = `EXISTS (
    SELECT ${STANDS} AND s.state = 'withdrawn' AND s.topic_id IN ('', coalesce(g."topicId", ''))
      AND (g.condition = 'unless_withdrawn' OR s.occurred_at > g."recordedAt" - ${REPEATED_WITHIN})
      AND NOT EXISTS (
        SELECT FROM standing_consents o
        WHERE o.account_id = s.account_id AND o.channel = s.channel AND o.address = s.address AND o.purpose = s.purpose
          AND (g."topicId" IS NULL OR o.topic_id IN ('', g."topicId")) AND o.state = 'granted'
          AND (o.occurred_at, o.consent_id) > (s.occurred_at, s.consent_id)))`;

/** Whether the record `g` exists. An address without a standing consent has none, which saves looking in each month. */
const IS_RECORDED = `CASE WHEN EXISTS (SELECT ${STANDS}) THEN EXISTS (
    SELECT FROM consent_records e
    WHERE e.account_id = g."accountId" AND e.channel = g.channel AND e.address = g.address AND e.purpose = g.purpose
      AND e.topic_id IS NOT DISTINCT FROM g."topicId" AND e.action = g.action AND e.source = g.source
      AND e.occurred_at = g."occurredAt" AND e.wording_text IS NOT DISTINCT FROM g."wordingText"
      AND e.ip IS NOT DISTINCT FROM g.ip AND e.evidence IS NOT DISTINCT FROM g.evidence) ELSE false END`;

/**
 * $1: the records as a JSON array. A record without a time occurs now, and after all standing consents: otherwise a
 * process whose clock is slow would withdraw before the grant that it follows.
 */
export const APPEND = `
  WITH given AS (
    SELECT g.*, coalesce(g."occurredAt", (SELECT greatest(g."recordedAt", max(s.occurred_at) + interval '1 millisecond') ${STANDS}))
      AS occurs_at
    FROM json_to_recordset($1::json) AS g (id text, "accountId" text, channel text, address text, "givenAddress" text,
      "contactId" text, purpose text, "topicId" text, action text, source text, "occurredAt" timestamptz,
      "recordedAt" timestamptz, "wordingVersion" integer, "wordingText" text, "formId" text, ip text, "userAgent" text,
      "messageLogId" text, "campaignId" text, evidence text, "actorType" text, "actorId" text, condition text)
    WHERE CASE WHEN g.condition IN ('unless_withdrawn', 'unless_just_withdrawn') THEN NOT ${IS_WITHDRAWN}
      WHEN g.condition = 'unless_recorded' THEN NOT ${IS_RECORDED} ELSE true END
  ), appended AS (
    INSERT INTO consent_records (id, account_id, channel, address, given_address, contact_id, purpose, topic_id, action,
      source, occurred_at, recorded_at, wording_version, wording_text, form_id, ip, user_agent, message_log_id,
      campaign_id, evidence, actor_type, actor_id)
    SELECT id, "accountId", channel, address, nullif("givenAddress", address), "contactId", purpose, "topicId", action,
      source, occurs_at, "recordedAt", "wordingVersion", "wordingText", "formId", ip, "userAgent", "messageLogId",
      "campaignId", evidence, "actorType", "actorId"
    FROM given
    RETURNING id, account_id, channel, address, purpose, coalesce(topic_id, '') AS topic_id, action, occurred_at
  ), standing AS (
    INSERT INTO standing_consents AS s (account_id, channel, address, purpose, topic_id, state, occurred_at, consent_id)
    SELECT DISTINCT ON (account_id, channel, address, purpose, topic_id)
      account_id, channel, address, purpose, topic_id, action, occurred_at, id
    FROM appended WHERE action <> 'requested'
    ORDER BY account_id, channel, address, purpose, topic_id, occurred_at DESC, id DESC
    ${KEEP_LATEST}
  )
  SELECT id FROM appended`;

/** $1 account, $2 email, $3 its hash, $4 limit. The trigger on the table lets this function alone change it. */
export const ERASE = `SELECT erase_consent_records($1, 'email', $2, $3, $4) AS erased`;
