import { ERASED_RECIPIENT } from '../domain/message-log.js';

/** In the order in which a status moves; soft bounces and `not-spam` reports are left out by the query. */
const RANK = (status: string) => `
  CASE ${status} WHEN 'sent' THEN 1 WHEN 'failed' THEN 2 WHEN 'suppressed' THEN 2 WHEN 'delivered' THEN 3
    WHEN 'bounced' THEN 4 WHEN 'complained' THEN 5 ELSE 0 END`;

/**
 * Of each reference in `reported` the message that it names, if its account has one. Looked up once for all of them and
 * joined, so that a batch of thousands costs each of them no more.
 */
const MATCHED = `
  named AS MATERIALIZED (
    SELECT m.id, m.account_id, m.provider_message_id FROM message_logs m WHERE m.id = ANY($2)
    UNION
    SELECT m.id, m.account_id, m.provider_message_id FROM message_logs m WHERE m.provider_message_id = ANY($3)
  ), matched AS MATERIALIZED (
    SELECT r.*, n.id AS found_id FROM reported r
    JOIN named n ON n.id = r."messageId" AND n.account_id = r."accountId"
    UNION ALL
    SELECT r.*, n.id AS found_id FROM reported r
    JOIN (
      SELECT account_id, provider_message_id, min(id) AS id FROM named GROUP BY account_id, provider_message_id
    ) n ON n.provider_message_id = r."providerMessageId" AND n.account_id = r."accountId"
    WHERE r."messageId" IS NULL
  )`;

/**
 * $1: the events as a JSON array, $2: the ids of messages that they name, $3: the provider's ids that the others name.
 * Messages are locked in the order of their ids, as everywhere, before their timelines are written. Of who was erased nothing
 * personal is taken in again.
 */
export const RECORD_EVENTS = `
  WITH reported AS (
    SELECT * FROM json_to_recordset($1::json) AS e (position integer, id text, "accountId" text, "messageId" text,
      "providerMessageId" text, type text, "occurredAt" timestamptz, recipient text, data jsonb)
  ), ${MATCHED}, locked AS (
    SELECT m.* FROM message_logs m WHERE m.id = ANY(ARRAY(SELECT found_id FROM matched)) ORDER BY m.id FOR UPDATE
  ), told AS (
    INSERT INTO email_events (message_id, id, type, occurred_at, recipient, data)
    SELECT DISTINCT ON (l.id, e.id) l.id, e.id, e.type, e."occurredAt",
      CASE WHEN l.normalised_recipient <> '${ERASED_RECIPIENT}' THEN e.recipient END,
      CASE WHEN l.normalised_recipient <> '${ERASED_RECIPIENT}' THEN e.data ELSE impersonal_event_data(e.data) END
    FROM locked l JOIN matched e ON e.found_id = l.id ORDER BY l.id, e.id, e.position
    ON CONFLICT DO NOTHING
    RETURNING message_id, id, type, data
  ), news AS (
    SELECT message_id,
      max(CASE WHEN type = 'bounced' AND data ->> 'bounceType' = 'soft' THEN 0
        WHEN type = 'complained' AND data ->> 'feedbackType' = 'not-spam' THEN 0 ELSE ${RANK('type')} END) AS rank,
      count(*) FILTER (WHERE type = 'opened' AND data -> 'automated' IS DISTINCT FROM 'true') AS opens,
      count(*) FILTER (WHERE type = 'clicked' AND data -> 'automated' IS DISTINCT FROM 'true') AS clicks
    FROM told GROUP BY message_id
  ), effect AS MATERIALIZED (
    SELECT l.id, l.opens + n.opens AS opens, l.clicks + n.clicks AS clicks,
      CASE WHEN n.rank > ${RANK('l.status')} THEN (ARRAY['sent', 'failed', 'delivered', 'bounced', 'complained'])[n.rank] ELSE l.status END AS status
    FROM news n JOIN locked l ON l.id = n.message_id
    WHERE n.rank > ${RANK('l.status')} OR n.opens > 0 OR n.clicks > 0
  ), moved AS (
    UPDATE message_logs m SET status = e.status, opens = e.opens, clicks = e.clicks
    FROM effect e WHERE m.id = e.id AND m.id = ANY(ARRAY(SELECT id FROM effect))
  ), placed AS (
    SELECT e.position, e.id, e.found_id, row_number() OVER (PARTITION BY e.found_id, e.id ORDER BY e.position) AS place
    FROM matched e
  )
  SELECT r.position, t.id IS NOT NULL AND e.place = 1 AS recorded, l.id AS "messageId",
    l.normalised_recipient AS recipient, l.contact_id AS "contactId", l.campaign_id AS "campaignId"
  FROM reported r
  LEFT JOIN placed e ON e.position = r.position
  LEFT JOIN locked l ON l.id = e.found_id
  LEFT JOIN told t ON t.message_id = l.id AND t.id = r.id
  ORDER BY r.position`;

/** The parameters are those of RECORD_EVENTS. */
export const FIND_MESSAGES = `
  WITH reported AS (
    SELECT * FROM json_to_recordset($1::json) AS r (position integer, "accountId" text, "messageId" text, "providerMessageId" text)
  ), ${MATCHED}
  SELECT m.id AS "messageId", m.normalised_recipient AS recipient, m.contact_id AS "contactId", m.campaign_id AS "campaignId"
  FROM reported r
  LEFT JOIN matched e ON e.position = r.position
  LEFT JOIN message_logs m ON m.id = e.found_id AND m.id = ANY(ARRAY(SELECT found_id FROM matched))
  ORDER BY r.position`;
