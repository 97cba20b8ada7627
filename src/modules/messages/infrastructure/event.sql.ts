/** In the order in which a status moves; soft bounces and `not-spam` reports are left out by the query. */
const RANK = (status: string) => `
  CASE ${status} WHEN 'sent' THEN 1 WHEN 'failed' THEN 2 WHEN 'suppressed' THEN 2 WHEN 'delivered' THEN 3
    WHEN 'bounced' THEN 4 WHEN 'complained' THEN 5 ELSE 0 END`;

const NAMED = `
    SELECT m.id, m.account_id, m.provider_message_id FROM message_logs m WHERE m.id = ANY($2)
    UNION
    SELECT m.id, m.account_id, m.provider_message_id FROM message_logs m WHERE m.provider_message_id = ANY($3)`;

/** Of the reference `r`. */
const FOUND = `
      SELECT n.id FROM named n WHERE n.account_id = r."accountId"
        AND CASE WHEN r."messageId" IS NULL THEN n.provider_message_id = r."providerMessageId" ELSE n.id = r."messageId" END
      ORDER BY n.id LIMIT 1`;

/**
 * $1: the events as a JSON array, $2: the ids of messages that they name, $3: the provider's ids that the others name.
 * Messages are locked in the order of their ids, as everywhere, before their timelines are written.
 */
export const RECORD_EVENTS = `
  WITH reported AS (
    SELECT * FROM json_to_recordset($1::json) AS e (position integer, id text, "accountId" text, "messageId" text,
      "providerMessageId" text, type text, "occurredAt" timestamptz, recipient text, data jsonb)
  ), named AS (${NAMED}
  ), matched AS (
    SELECT r.*, n.id AS found_id FROM reported r JOIN LATERAL (${FOUND}
    ) n ON true
  ), locked AS (
    SELECT m.* FROM message_logs m WHERE m.id = ANY(ARRAY(SELECT found_id FROM matched)) ORDER BY m.id FOR UPDATE
  ), told AS (
    INSERT INTO email_events (message_id, id, type, occurred_at, recipient, data)
    SELECT DISTINCT ON (l.id, e.id) l.id, e.id, e.type, e."occurredAt", e.recipient, e.data
    FROM locked l JOIN matched e ON e.found_id = l.id ORDER BY l.id, e.id, e.position
    ON CONFLICT DO NOTHING
    RETURNING message_id, id, type, data
  ), effect AS (
    SELECT message_id,
      max(CASE WHEN type = 'bounced' AND data ->> 'bounceType' = 'soft' THEN 0
        WHEN type = 'complained' AND data ->> 'feedbackType' = 'not-spam' THEN 0 ELSE ${RANK('type')} END) AS rank,
      count(*) FILTER (WHERE type = 'opened' AND data -> 'automated' IS DISTINCT FROM 'true') AS opens,
      count(*) FILTER (WHERE type = 'clicked' AND data -> 'automated' IS DISTINCT FROM 'true') AS clicks
    FROM told GROUP BY message_id
  ), moved AS (
    UPDATE message_logs m
    SET status = CASE WHEN e.rank > ${RANK('l.status')} THEN (ARRAY['sent', 'failed', 'delivered', 'bounced', 'complained'])[e.rank] ELSE l.status END,
      opens = l.opens + e.opens, clicks = l.clicks + e.clicks
    FROM effect e JOIN locked l ON l.id = e.message_id
    WHERE m.id = e.message_id AND m.id = ANY(ARRAY(SELECT found_id FROM matched))
      AND (e.rank > ${RANK('l.status')} OR e.opens > 0 OR e.clicks > 0)
  )
  SELECT r.position, t.id IS NOT NULL AND first.position = r.position AS recorded, l.id AS "messageId",
    l.normalised_recipient AS recipient, l.contact_id AS "contactId", l.campaign_id AS "campaignId"
  FROM reported r
  LEFT JOIN matched e ON e.position = r.position
  LEFT JOIN locked l ON l.id = e.found_id
  LEFT JOIN told t ON t.message_id = l.id AND t.id = r.id
  LEFT JOIN LATERAL (SELECT min(o.position) AS position FROM matched o WHERE o.found_id = l.id AND o.id = r.id) first ON true
  ORDER BY r.position`;

/** The parameters are those of RECORD_EVENTS. */
export const FIND_MESSAGES = `
  WITH named AS (${NAMED}
  )
  SELECT m.id AS "messageId", m.normalised_recipient AS recipient, m.contact_id AS "contactId", m.campaign_id AS "campaignId"
  FROM json_to_recordset($1::json) AS r (position integer, "accountId" text, "messageId" text, "providerMessageId" text)
  LEFT JOIN LATERAL (${FOUND}
  ) f ON true
  LEFT JOIN message_logs m ON m.id = f.id AND m.id = ANY(ARRAY(SELECT id FROM named))
  ORDER BY r.position`;
