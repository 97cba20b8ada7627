import { MAX_VISITS_KEPT } from '../../../../config/limits.js';
import { insertLists, recordColumns, textList } from '../../../../platform/database/columns.js';
import { KINDS_BY_TYPE } from '../../../../shared/event-types.js';
import { lacksTrackingConsent } from '../../../consent/index.js';
import { REPORTED_STATUSES, STATUS_RANKS, VISIT_TYPES } from '../../domain/event-rules.js';
import { ERASED_RECIPIENT } from '../../domain/message-log.js';
import { EmailEventSchema } from '../email-event.schema.js';
import { inFeedOf } from '../feed/feed-position.sql.js';
import { countCampaignEvents } from './campaign-activity.sql.js';
import { SCAN_TYPES } from './scanner.sql.js';
import { isAttempted, rankOf } from './status.sql.js';

const RANKED_KINDS = KINDS_BY_TYPE.flatMap(([type, { status, onlyWith, notWith }]) => {
  if (status === null) return [];
  const conditions = [
    ...(onlyWith ? [`data ->> '${onlyWith[0]}' = '${onlyWith[1]}'`] : []),
    ...(notWith ? [`data ->> '${notWith[0]}' IS DISTINCT FROM '${notWith[1]}'`] : []),
  ];
  return `WHEN ${[`type = '${type}'`, ...conditions].join(' AND ')} THEN ${STATUS_RANKS[status]}`;
});

/** The rank of the status that an event sets, 0 for events that set none. */
const EVENT_RANK = `CASE ${RANKED_KINDS.join(' ')} ELSE 0 END`;

/** The status of a rank that EVENT_RANK has. */
const STATUS_OF_RANK = `
  CASE t.rank ${REPORTED_STATUSES.map((status) => `WHEN ${STATUS_RANKS[status]} THEN '${status}'`).join(' ')} END`;

const VISITS = textList(VISIT_TYPES);

/**
 * Matches each reference in `reported` with a message of its account. All are looked up at once and joined, so that the
 * cost per reference does not grow with the batch. A provider's id has to be searched in every month; this is done only
 * if our own id belongs to no message of any account.
 */
const MATCHED = `
  by_own_id AS MATERIALIZED (
    SELECT m.id, m.account_id, m.channel FROM message_logs m WHERE m.id = ANY($2)
  ), by_provider_id AS MATERIALIZED (
    SELECT min(m.id) AS id, m.account_id, m.channel, m.provider_message_id
    FROM message_logs m WHERE m.provider_message_id = ANY(ARRAY(
      SELECT r."providerMessageId" FROM reported r
      WHERE r."providerMessageId" IS NOT NULL AND NOT EXISTS (SELECT FROM by_own_id o WHERE o.id = r."messageId")))
    GROUP BY m.account_id, m.channel, m.provider_message_id
  ), matched AS MATERIALIZED (
    SELECT r.*, o.id AS found_id FROM reported r
    JOIN by_own_id o ON o.id = r."messageId" AND o.account_id = r."accountId" AND o.channel = r.channel
    UNION ALL
    SELECT r.*, p.id AS found_id FROM reported r
    JOIN by_provider_id p
      ON p.provider_message_id = r."providerMessageId" AND p.account_id = r."accountId" AND p.channel = r.channel
    WHERE NOT EXISTS (SELECT FROM by_own_id o WHERE o.id = r."messageId")
  )`;

/** Whether a row `r` of `reported` without a match identifies a message of another account or channel. */
const IS_FOREIGN = `(
    CASE WHEN r."messageId" IS NULL THEN r."providerMessageId" IN (SELECT provider_message_id FROM by_provider_id)
      ELSE r."messageId" IN (SELECT id FROM by_own_id) END) IS TRUE`;

/**
 * Whether the timeline does not contain the event yet. Events recorded before keys were introduced have the key as
 * their id. Not written as NOT EXISTS, which may be planned as a join with all events.
 */
const isNew = (messageId: string, key: string) => `
    (SELECT 1 FROM email_events k WHERE k.message_id = ${messageId} AND k.dedup_key = ${key} LIMIT 1) IS NULL
    AND (SELECT 1 FROM email_events k WHERE k.message_id = ${messageId} AND k.id = ${key} LIMIT 1) IS NULL`;

/** New opens and clicks for which the timeline of their message has no room, of recipients who may be tracked. */
const EXCESS = `, untracked AS MATERIALIZED (
    SELECT l.id FROM locked l WHERE ${lacksTrackingConsent('l.account_id', 'l.normalised_recipient')}
  ), visit_counts AS MATERIALIZED (
    SELECT l.id, (
      SELECT count(*) FROM (
        SELECT FROM email_events e WHERE e.message_id = l.id AND e.type IN (${VISITS}) LIMIT ${MAX_VISITS_KEPT}) kept
      ) AS kept
    FROM locked l WHERE l.id = ANY(ARRAY(SELECT found_id FROM matched WHERE type IN (${VISITS})))
      AND l.id <> ALL (ARRAY(SELECT id FROM untracked))
  ), excess AS MATERIALIZED (
    SELECT * FROM (
      SELECT f.*, v.kept + row_number() OVER (PARTITION BY f.found_id ORDER BY f.position) AS number
      FROM (
        SELECT DISTINCT ON (found_id, key) position, found_id, key, type, "occurredAt" AS occurred_at, data FROM matched
        WHERE type IN (${VISITS}) ORDER BY found_id, key, position) f
      JOIN visit_counts v ON v.id = f.found_id
      WHERE ${isNew('f.found_id', 'f.key')}) numbered
    WHERE number > ${MAX_VISITS_KEPT}
  )`;
const NO_EXCESS = `, untracked AS (SELECT NULL::text AS id WHERE false), excess AS (
    SELECT NULL::integer AS position, NULL::text AS found_id, NULL::text AS key, NULL::text AS type,
      NULL::timestamptz AS occurred_at, NULL::jsonb AS data
    WHERE false
  )`;

const IS_ERASED = `l.normalised_recipient = '${ERASED_RECIPIENT}'`;

/** The event `e` of the message `l`, without personal data if its recipient was erased. */
const REPORTED = insertLists(EmailEventSchema, {
  ...inFeedOf('l.account_id'),
  messageId: 'l.id',
  id: 'e.id',
  dedupKey: 'e.key',
  type: 'e.type',
  occurredAt: 'e."occurredAt"',
  recipient: `CASE WHEN NOT ${IS_ERASED} THEN e.recipient END`,
  data: `CASE WHEN ${IS_ERASED} THEN impersonal_event_data(e.data) ELSE e.data END`,
});

/** Ends the wait for another attempt of messages that are not queued any more. */
const FINISHED = `finished AS (
    DELETE FROM pending_deliveries p USING (
      SELECT q.message_id FROM pending_deliveries q JOIN changes c ON c.id = q.message_id
      WHERE c.status <> 'queued' AND q.lease_ends_at IS NULL FOR UPDATE OF q SKIP LOCKED
    ) idle
    WHERE p.message_id = idle.message_id
  )`;

/**
 * $1: the events as a JSON array, $2: the ids of the messages they name. Messages are locked in the order of their ids,
 * like everywhere else, before their timelines are written. With `skipsLocked` it does not wait for locked messages:
 * their events are `locked`, and not recorded. Opens and clicks in excess of MAX_VISITS_KEPT are only counted; those of
 * recipients without a consent that the account requires are neither counted nor recorded. A message that its provider
 * proves to have accepted waits for no further attempt.
 */
const recordEvents = ({ hasVisits, skipsLocked }: { hasVisits: boolean; skipsLocked: boolean }) => `
  WITH reported AS (
    SELECT * FROM json_to_recordset($1::json) AS e (position integer, id text, key text, "accountId" text, channel text,
      "messageId" text, "providerMessageId" text,
      ${recordColumns(EmailEventSchema, ['type', 'occurredAt', 'recipient', 'data'])})
  ), ${MATCHED}, locked AS (
    SELECT m.* FROM message_logs m WHERE m.id = ANY(ARRAY(SELECT found_id FROM matched)) ORDER BY m.id
    FOR UPDATE ${skipsLocked ? 'SKIP LOCKED' : ''}
  )${hasVisits ? EXCESS : NO_EXCESS}, inserted AS (
    INSERT INTO email_events (${REPORTED.columns})
    SELECT DISTINCT ON (l.id, e.key) ${REPORTED.values}
    FROM locked l JOIN matched e ON e.found_id = l.id
    WHERE NOT EXISTS (SELECT FROM excess x WHERE x.found_id = e.found_id AND x.key = e.key)
      AND NOT (e.type IN (${VISITS}) AND l.id = ANY (ARRAY(SELECT id FROM untracked)))
      AND ${isNew('l.id', 'e.key')}
    ORDER BY l.id, e.key, e.position
    ON CONFLICT DO NOTHING
    RETURNING message_id, dedup_key AS key, type, occurred_at, data
  ), new_events AS (
    SELECT message_id, type, occurred_at, data, data -> 'automated' IS DISTINCT FROM 'true' AS by_person FROM inserted
    UNION ALL SELECT found_id, type, occurred_at, data, data -> 'automated' IS DISTINCT FROM 'true' FROM excess
  ), activity AS (${countCampaignEvents(`
      SELECT l.account_id, l.campaign_id, e.occurred_at, e.type FROM new_events e JOIN locked l ON l.id = e.message_id
      WHERE e.type = 'delivered' OR (e.type IN (${VISITS}) AND e.by_person)`)}
  ), totals AS (
    SELECT message_id, max(${EVENT_RANK}) AS rank,
      count(*) FILTER (WHERE type = 'opened' AND by_person) AS opens,
      count(*) FILTER (WHERE type = 'clicked' AND by_person) AS clicks
    FROM new_events GROUP BY message_id
  ), changes AS MATERIALIZED (
    SELECT l.id, l.opens + t.opens AS opens, l.clicks + t.clicks AS clicks,
      CASE WHEN t.rank > ${rankOf('l.status')} AND ${isAttempted('l')} THEN ${STATUS_OF_RANK}
        ELSE l.status END AS status
    FROM totals t JOIN locked l ON l.id = t.message_id
    WHERE t.rank > ${rankOf('l.status')} OR t.opens > 0 OR t.clicks > 0
  ), updated AS (
    UPDATE message_logs m SET status = c.status, opens = c.opens, clicks = c.clicks,
      error = CASE WHEN m.status = 'queued' AND c.status IN ('sent', 'delivered', 'complained') THEN NULL ELSE m.error END
    FROM changes c WHERE m.id = c.id AND m.id = ANY(ARRAY(SELECT id FROM changes))
  ), ${FINISHED}, repeats AS (
    SELECT e.position, e.found_id, row_number() OVER (PARTITION BY e.found_id, e.key ORDER BY e.position) AS number
    FROM matched e
  )
  SELECT r.position,
    CASE WHEN (i.key IS NOT NULL AND e.number = 1) OR x.position IS NOT NULL THEN 'recorded'
      WHEN l.id IS NOT NULL THEN 'known' ${skipsLocked ? `WHEN e.found_id IS NOT NULL THEN 'locked'` : ''}
      WHEN ${IS_FOREIGN} THEN 'foreign' ELSE 'unmatched' END AS outcome,
    i.type IN (${textList(SCAN_TYPES)}) AND coalesce(c.clicks, l.clicks) > 0 AS "maybeScanned",
    l.id AS "messageId", l.recipient, l.contact_id AS "contactId", l.campaign_id AS "campaignId"
  FROM reported r
  LEFT JOIN repeats e ON e.position = r.position
  LEFT JOIN locked l ON l.id = e.found_id
  LEFT JOIN inserted i ON i.message_id = l.id AND i.key = r.key
  LEFT JOIN excess x ON x.position = r.position
  LEFT JOIN changes c ON c.id = l.id
  ORDER BY r.position`;

export const RECORD_EVENTS = recordEvents({ hasVisits: false, skipsLocked: false });

/** Like RECORD_EVENTS, for events that include opens and clicks; takes longer to plan. */
export const RECORD_VISITS = recordEvents({ hasVisits: true, skipsLocked: false });

/** Like RECORD_VISITS, for messages of many accounts: waits for no locked message. */
export const RECORD_VISITS_UNLESS_LOCKED = recordEvents({ hasVisits: true, skipsLocked: true });

/** The parameters are those of RECORD_EVENTS. */
export const FIND_MESSAGES = `
  WITH reported AS (
    SELECT * FROM json_to_recordset($1::json) AS r (position integer, "accountId" text, channel text, "messageId" text,
      "providerMessageId" text)
  ), ${MATCHED}
  SELECT CASE WHEN m.id IS NOT NULL THEN 'found' WHEN ${IS_FOREIGN} THEN 'foreign' ELSE 'unmatched' END AS outcome,
    m.id AS "messageId", m.recipient, m.contact_id AS "contactId", m.campaign_id AS "campaignId"
  FROM reported r
  LEFT JOIN matched e ON e.position = r.position
  LEFT JOIN message_logs m ON m.id = e.found_id AND m.id = ANY(ARRAY(SELECT found_id FROM matched))
  ORDER BY r.position`;

/** Finds the accounts of messages, for visits. $1: ids of the messages. */
export const FIND_ACCOUNTS = 'SELECT id, account_id AS "accountId" FROM message_logs WHERE id = ANY($1)';
