import { CAMPAIGN_LEASE_MS } from '../../../config/limits.js';
import { hasExpired, leaseEnd } from '../../../platform/database/lease.sql.js';
import { SELECTION_LEASE_MS } from '../domain/campaign-run.js';

/** A CampaignRun from the row `c`. */
const COLUMNS = `c.id, c.account_id AS "accountId", c.claim_id AS "claimId", c.name, c.from_email AS "fromEmail",
  c.from_name AS "fromName", c.reply_to AS "replyTo", c.topic_id AS "topicId",
  json_build_object('listIds', c.list_ids, 'tags', c.tags, 'excludeListIds', c.exclude_list_ids, 'excludeTags', c.exclude_tags) AS audience,
  c.max_per_minute AS "maxPerMinute", c.has_audience AS "hasAudience",
  c.fed_up_to AS "fedUpTo", c.paced_until AS "pacedUntil", c.waiting_for IS NOT DISTINCT FROM 'daily_cap' AS "isOverCap"`;

const LEASE_END = leaseEnd(CAMPAIGN_LEASE_MS);

/** $1 account, $2 campaign, $3 new claim id, $4 the time if the clock of the database is steady. */
export const CLAIM = `
  UPDATE campaigns c SET claim_id = $3, lease_ends_at = ${LEASE_END}
  WHERE c.account_id = $1 AND c.id = $2 AND c.status = 'running' AND c.deleted_at IS NULL
    AND (c.lease_ends_at IS NULL OR ${hasExpired('c.lease_ends_at', '$4')})
  RETURNING ${COLUMNS}`;

/** $1 account, $2 campaign, $3 claim. A campaign that is no longer running has no claim. */
const CLAIMED = 'c.account_id = $1 AND c.id = $2 AND c.claim_id = $3';

export const RENEW = `UPDATE campaigns c SET lease_ends_at = ${LEASE_END} WHERE ${CLAIMED} RETURNING c.id`;

export const RENEW_FOR_SELECTION = `
  UPDATE campaigns c SET lease_ends_at = ${leaseEnd(SELECTION_LEASE_MS)} WHERE ${CLAIMED} RETURNING c.id`;

export const RELEASE = `UPDATE campaigns c SET claim_id = NULL, lease_ends_at = NULL WHERE ${CLAIMED}`;

export const FINISH = `
  UPDATE campaigns c SET status = 'completed', ended_at = $4, waiting_for = NULL, revision = c.revision + 1, claim_id = NULL,
    lease_ends_at = NULL
  WHERE ${CLAIMED} AND c.status = 'running' AND c.has_audience
    AND c.recipients = c.accepted + c.skipped_suppressed + c.skipped_no_consent + c.skipped_deleted
      + c.skipped_failed + c.skipped_out_of_topic
  RETURNING c.id`;

export const PAUSE = `
  UPDATE campaigns c SET status = 'paused', pause_reason = $4, waiting_for = NULL, revision = c.revision + 1, claim_id = NULL,
    lease_ends_at = NULL
  WHERE ${CLAIMED} AND c.status = 'running'`;

export const LIST_IDLE = `
  SELECT c.account_id AS "accountId", c.id AS "campaignId" FROM campaigns c
  WHERE c.status = 'running' AND c.deleted_at IS NULL AND (c.lease_ends_at IS NULL OR c.lease_ends_at <= clock_timestamp())`;

export const LIST_DUE = `
  SELECT c.account_id AS "accountId", c.id AS "campaignId" FROM campaigns c
  WHERE c.status = 'scheduled' AND c.deleted_at IS NULL AND c.scheduled_at <= $1 ORDER BY c.scheduled_at`;

/** Locks the campaign, so that no other id is assigned meanwhile. */
export const LOCK_CLAIMED = `SELECT c.last_message_id AS "lastId" FROM campaigns c WHERE ${CLAIMED} FOR UPDATE`;

/** $4 the last id of each portion, $5 its ids as one string. */
export const SAVE_AUDIENCE = `
  INSERT INTO campaign_audience_portions (campaign_id, last_contact_id, contact_ids)
  SELECT c.id, portion.last_id, string_to_array(portion.ids, ' ')
  FROM campaigns c CROSS JOIN unnest($4::text[], $5::text[]) AS portion (last_id, ids) WHERE ${CLAIMED}`;

export const COMPLETE_AUDIENCE = `UPDATE campaigns c SET has_audience = true WHERE ${CLAIMED}`;

export const NEXT_CONTACTS = `
  SELECT p.contact_ids AS "contactIds" FROM campaigns c JOIN campaign_audience_portions p ON p.campaign_id = c.id
  WHERE ${CLAIMED} AND p.last_contact_id > c.audience_after ORDER BY p.last_contact_id LIMIT 1`;

/** $4 last message id, $5 last contact, $6 recipients as JSON. */
export const ADD_RECIPIENTS = `
  WITH added AS (
    INSERT INTO campaign_recipients (campaign_id, message_id, contact_id, email, normalised_email, reason)
    SELECT $2, r."messageId", r."contactId", r.email, r."normalisedEmail", r.reason
    FROM json_to_recordset($6::json) AS r ("messageId" text, "contactId" text, email text, "normalisedEmail" text, reason text)
    ON CONFLICT (campaign_id, normalised_email) DO NOTHING RETURNING reason
  ), written AS (
    DELETE FROM campaign_audience_portions p WHERE p.campaign_id = $2 AND p.last_contact_id <= $5
  )
  UPDATE campaigns c SET lease_ends_at = ${LEASE_END}, last_message_id = $4, audience_after = $5,
    has_audience = NOT EXISTS (
      SELECT FROM campaign_audience_portions p WHERE p.campaign_id = $2 AND p.last_contact_id > $5),
    recipients = c.recipients + (SELECT count(*) FROM added),
    skipped_suppressed = c.skipped_suppressed + (SELECT count(*) FROM added WHERE reason = 'suppressed'),
    skipped_no_consent = c.skipped_no_consent + (SELECT count(*) FROM added WHERE reason = 'no_consent'),
    skipped_out_of_topic = c.skipped_out_of_topic + (SELECT count(*) FROM added WHERE reason = 'out_of_topic'),
    skipped_deleted = c.skipped_deleted + (SELECT count(*) FROM added WHERE reason = 'deleted')
  WHERE ${CLAIMED}
  RETURNING c.has_audience AS "hasAudience"`;

/**
 * Without statistics of a new audience, PostgreSQL takes it for small, and LIST_WAITING reads and sorts all recipients
 * that wait to return the first few.
 */
export const ANALYZE_RECIPIENTS = 'ANALYZE campaign_recipients';

/** $3 after this message id, $4 limit. */
export const LIST_WAITING = `
  SELECT r.message_id AS "messageId", r.contact_id AS "contactId", r.email
  FROM campaigns c JOIN campaign_recipients r ON r.campaign_id = c.id
  WHERE c.account_id = $1 AND c.id = $2 AND r.message_id > $3 AND r.reason IS NULL
  ORDER BY r.message_id LIMIT $4`;

/** $4 up to this message id, $5 accepted, $6 and $7 ids and reasons of those skipped, $8 waits for, $9 paced until. */
export const ADVANCE = `
  WITH skipped AS (
    UPDATE campaign_recipients r SET reason = s.reason FROM unnest($6::text[], $7::text[]) AS s (id, reason)
    WHERE r.campaign_id = $2 AND r.message_id = s.id AND r.reason IS NULL RETURNING r.reason
  )
  UPDATE campaigns c SET lease_ends_at = ${LEASE_END}, fed_up_to = $4, accepted = c.accepted + $5,
    skipped_suppressed = c.skipped_suppressed + (SELECT count(*) FROM skipped WHERE reason = 'suppressed'),
    skipped_no_consent = c.skipped_no_consent + (SELECT count(*) FROM skipped WHERE reason = 'no_consent'),
    skipped_out_of_topic = c.skipped_out_of_topic + (SELECT count(*) FROM skipped WHERE reason = 'out_of_topic'),
    skipped_deleted = c.skipped_deleted + (SELECT count(*) FROM skipped WHERE reason = 'deleted'),
    skipped_failed = c.skipped_failed + (SELECT count(*) FROM skipped WHERE reason = 'failed'),
    waiting_for = $8, paced_until = $9
  WHERE ${CLAIMED} RETURNING c.id`;

/**
 * $1 end of the campaigns whose recipients are no longer kept, $2 limit. Returns the removed rows. Waits for no lock:
 * locked rows are left to the next purge.
 */
export const PURGE_RECIPIENTS = `
  DELETE FROM campaign_recipients r WHERE (r.campaign_id, r.message_id) IN (
    SELECT d.campaign_id, d.message_id FROM campaigns c CROSS JOIN LATERAL (
      SELECT e.campaign_id, e.message_id FROM campaign_recipients e WHERE e.campaign_id = c.id
      LIMIT $2 FOR UPDATE SKIP LOCKED) d
    WHERE c.deleted_at IS NOT NULL OR c.ended_at < $1
    LIMIT $2)
  RETURNING 1`;

/** Condition on `campaign_audience_portions`: the campaign was canceled while its audience was written. */
export const IS_OF_CANCELED = `campaign_id IN (SELECT c.id FROM campaigns c WHERE c.status = 'canceled')`;

/** Condition on `campaigns`: deleted, and its recipients are removed. */
export const IS_REMOVED = `
  deleted_at IS NOT NULL AND NOT EXISTS (SELECT FROM campaign_recipients r WHERE r.campaign_id = campaigns.id)`;
