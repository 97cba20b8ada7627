import { ERASED_RECIPIENT, MAX_VISITS_KEPT } from '../domain/message-log.js';

/** In the order in which a status moves; soft bounces and `not-spam` reports are left out by the query. */
const RANK = (status: string) => `
  CASE ${status} WHEN 'sent' THEN 1 WHEN 'failed' THEN 2 WHEN 'suppressed' THEN 2 WHEN 'delivered' THEN 3
    WHEN 'bounced' THEN 4 WHEN 'complained' THEN 5 ELSE 0 END`;

/**
 * Of each reference in `reported` the message that it names, if its account has one. Looked up once for all of them and
 * joined, so that a batch of thousands costs each of them no more. The provider's id is looked for in every month, so only
 * where our own leads to no message of anybody.
 */
const MATCHED = `
  own AS MATERIALIZED (
    SELECT m.id, m.account_id, m.channel FROM message_logs m WHERE m.id = ANY($2)
  ), theirs AS MATERIALIZED (
    SELECT min(m.id) AS id, m.account_id, m.channel, m.provider_message_id
    FROM message_logs m WHERE m.provider_message_id = ANY(ARRAY(
      SELECT r."providerMessageId" FROM reported r
      WHERE r."providerMessageId" IS NOT NULL AND NOT EXISTS (SELECT FROM own o WHERE o.id = r."messageId")))
    GROUP BY m.account_id, m.channel, m.provider_message_id
  ), matched AS MATERIALIZED (
    SELECT r.*, o.id AS found_id FROM reported r
    JOIN own o ON o.id = r."messageId" AND o.account_id = r."accountId" AND o.channel = r.channel
    UNION ALL
    SELECT r.*, t.id AS found_id FROM reported r
    JOIN theirs t ON t.provider_message_id = r."providerMessageId" AND t.account_id = r."accountId" AND t.channel = r.channel
    WHERE NOT EXISTS (SELECT FROM own o WHERE o.id = r."messageId")
  )`;

/** Of a row `r` of `reported` that is not matched: whether there is such a message all the same. */
const IS_FOREIGN = `(
    CASE WHEN r."messageId" IS NULL THEN r."providerMessageId" IN (SELECT provider_message_id FROM theirs)
      ELSE r."messageId" IN (SELECT id FROM own) END) IS TRUE`;

/**
 * Whether the timeline does not have the event yet. Events recorded before keys existed have them as their ids. Not
 * written as NOT EXISTS, which may be planned as a join with all events.
 */
const isNew = (messageId: string, key: string) => `
    (SELECT 1 FROM email_events k WHERE k.message_id = ${messageId} AND k.dedup_key = ${key} LIMIT 1) IS NULL
    AND (SELECT 1 FROM email_events k WHERE k.message_id = ${messageId} AND k.id = ${key} LIMIT 1) IS NULL`;

/** Of the opens and clicks that are new those that their timelines have no room for. */
const BEYOND = `, visited AS MATERIALIZED (
    SELECT l.id, (
      SELECT count(*) FROM (
        SELECT FROM email_events e WHERE e.message_id = l.id AND e.type IN ('opened', 'clicked') LIMIT ${MAX_VISITS_KEPT}) kept) AS kept
    FROM locked l WHERE l.id = ANY(ARRAY(SELECT found_id FROM matched WHERE type IN ('opened', 'clicked')))
  ), beyond AS MATERIALIZED (
    SELECT * FROM (
      SELECT f.*, v.kept + row_number() OVER (PARTITION BY f.found_id ORDER BY f.position) AS place
      FROM (
        SELECT DISTINCT ON (found_id, key) position, found_id, key, type, data FROM matched
        WHERE type IN ('opened', 'clicked') ORDER BY found_id, key, position) f
      JOIN visited v ON v.id = f.found_id
      WHERE ${isNew('f.found_id', 'f.key')}) fresh
    WHERE place > ${MAX_VISITS_KEPT}
  )`;
const NONE_BEYOND = `, beyond AS (
    SELECT NULL::integer AS position, NULL::text AS found_id, NULL::text AS key, NULL::text AS type, NULL::jsonb AS data WHERE false
  )`;

/**
 * $1: the events as a JSON array, $2: the ids of messages that they name. Messages are locked in the order of their ids, as
 * everywhere, before their timelines are written. Of who was erased nothing personal is taken in again. Opens and clicks beyond
 * those that a timeline keeps are counted alone.
 */
const recordEvents = (hasVisits: boolean) => `
  WITH reported AS (
    SELECT * FROM json_to_recordset($1::json) AS e (position integer, id text, key text, "accountId" text, channel text,
      "messageId" text, "providerMessageId" text, type text, "occurredAt" timestamptz, recipient text, data jsonb)
  ), ${MATCHED}, locked AS (
    SELECT m.* FROM message_logs m WHERE m.id = ANY(ARRAY(SELECT found_id FROM matched)) ORDER BY m.id FOR UPDATE
  )${hasVisits ? BEYOND : NONE_BEYOND}, told AS (
    INSERT INTO email_events (message_id, id, dedup_key, type, occurred_at, recipient, data)
    SELECT DISTINCT ON (l.id, e.key) l.id, e.id, e.key, e.type, e."occurredAt",
      CASE WHEN l.normalised_recipient <> '${ERASED_RECIPIENT}' THEN e.recipient END,
      CASE WHEN l.normalised_recipient <> '${ERASED_RECIPIENT}' THEN e.data ELSE impersonal_event_data(e.data) END
    FROM locked l JOIN matched e ON e.found_id = l.id
    WHERE NOT EXISTS (SELECT FROM beyond b WHERE b.found_id = e.found_id AND b.key = e.key) AND ${isNew('l.id', 'e.key')}
    ORDER BY l.id, e.key, e.position
    ON CONFLICT DO NOTHING
    RETURNING message_id, dedup_key AS key, type, data
  ), news AS (
    SELECT message_id,
      max(CASE WHEN type = 'bounced' AND data ->> 'bounceType' IS DISTINCT FROM 'hard' THEN 0
        WHEN type = 'complained' AND data ->> 'feedbackType' = 'not-spam' THEN 0 ELSE ${RANK('type')} END) AS rank,
      count(*) FILTER (WHERE type = 'opened' AND data -> 'automated' IS DISTINCT FROM 'true') AS opens,
      count(*) FILTER (WHERE type = 'clicked' AND data -> 'automated' IS DISTINCT FROM 'true') AS clicks
    FROM (SELECT message_id, type, data FROM told UNION ALL SELECT found_id, type, data FROM beyond) new
    GROUP BY message_id
  ), effect AS MATERIALIZED (
    SELECT l.id, l.opens + n.opens AS opens, l.clicks + n.clicks AS clicks,
      CASE WHEN n.rank > ${RANK('l.status')} THEN (ARRAY['sent', 'failed', 'delivered', 'bounced', 'complained'])[n.rank] ELSE l.status END AS status
    FROM news n JOIN locked l ON l.id = n.message_id
    WHERE n.rank > ${RANK('l.status')} OR n.opens > 0 OR n.clicks > 0
  ), moved AS (
    UPDATE message_logs m SET status = e.status, opens = e.opens, clicks = e.clicks
    FROM effect e WHERE m.id = e.id AND m.id = ANY(ARRAY(SELECT id FROM effect))
  ), placed AS (
    SELECT e.position, e.found_id, row_number() OVER (PARTITION BY e.found_id, e.key ORDER BY e.position) AS place
    FROM matched e
  )
  SELECT r.position,
    CASE WHEN (t.key IS NOT NULL AND e.place = 1) OR b.position IS NOT NULL THEN 'recorded' WHEN l.id IS NOT NULL THEN 'known'
      WHEN ${IS_FOREIGN} THEN 'foreign' ELSE 'unmatched' END AS outcome,
    t.type IN ('sent', 'delivered', 'clicked') AND coalesce(f.clicks, l.clicks) > 0 AS "isToJudge",
    l.id AS "messageId", l.normalised_recipient AS recipient, l.contact_id AS "contactId", l.campaign_id AS "campaignId"
  FROM reported r
  LEFT JOIN placed e ON e.position = r.position
  LEFT JOIN locked l ON l.id = e.found_id
  LEFT JOIN told t ON t.message_id = l.id AND t.key = r.key
  LEFT JOIN beyond b ON b.position = r.position
  LEFT JOIN effect f ON f.id = l.id
  ORDER BY r.position`;

export const RECORD_EVENTS = recordEvents(false);

/** The same for events with opens and clicks among them, which takes longer to plan. */
export const RECORD_VISITS = recordEvents(true);

/** The parameters are those of RECORD_EVENTS. */
export const FIND_MESSAGES = `
  WITH reported AS (
    SELECT * FROM json_to_recordset($1::json) AS r (position integer, "accountId" text, channel text, "messageId" text,
      "providerMessageId" text)
  ), ${MATCHED}
  SELECT CASE WHEN m.id IS NOT NULL THEN 'found' WHEN ${IS_FOREIGN} THEN 'foreign' ELSE 'unmatched' END AS outcome,
    m.id AS "messageId", m.normalised_recipient AS recipient, m.contact_id AS "contactId", m.campaign_id AS "campaignId"
  FROM reported r
  LEFT JOIN matched e ON e.position = r.position
  LEFT JOIN message_logs m ON m.id = e.found_id AND m.id = ANY(ARRAY(SELECT found_id FROM matched))
  ORDER BY r.position`;

/** $1 ids of messages. */
export const LOCK_MESSAGES = 'SELECT FROM message_logs WHERE id = ANY($1) ORDER BY id FOR UPDATE';

/**
 * $1: the ids of messages that are locked. Clicks on several links within a second before or after the hand-over or the
 * delivery, as far as they are not marked yet. A gateway may look at the links before it says that it took the message.
 */
export const DISCOUNT_SCANNERS = `
  WITH visited AS MATERIALIZED (
    SELECT e.message_id, e.id, e.type, e.occurred_at, e.data FROM email_events e
    WHERE e.message_id = ANY($1) AND e.type IN ('sent', 'delivered', 'clicked')
  ), scanned AS (
    SELECT c.message_id, c.id, c.data,
      min(c.data ->> 'url') OVER arrival < max(c.data ->> 'url') OVER arrival AS is_scan
    FROM visited a JOIN visited c ON c.message_id = a.message_id AND c.type = 'clicked'
      AND c.occurred_at BETWEEN a.occurred_at - interval '1 second' AND a.occurred_at + interval '1 second'
    WHERE a.type <> 'clicked'
    WINDOW arrival AS (PARTITION BY a.message_id, a.id)
  ), flagged AS (
    UPDATE email_events e SET data = e.data || '{"automated": true}'
    FROM (SELECT DISTINCT message_id, id FROM scanned WHERE is_scan AND data -> 'automated' IS DISTINCT FROM 'true') s
    WHERE e.message_id = s.message_id AND e.id = s.id AND e.message_id = ANY($1)
    RETURNING e.message_id
  )
  UPDATE message_logs m SET clicks = m.clicks - f.clicks
  FROM (SELECT message_id, count(*) AS clicks FROM flagged GROUP BY message_id) f
  WHERE m.id = f.message_id AND m.id = ANY($1)`;
