import { textList } from '../../../../platform/database/columns.js';
import type { EventType } from '../../../../shared/event-types.js';
import { SCAN_WINDOW_SECONDS, SCANNED_EVENTS } from '../../domain/event-rules.js';
import { countCampaignEvents } from './campaign-activity.sql.js';

/** A new event of these types may show that clicks were made by a scanner. */
export const SCAN_TYPES: readonly EventType[] = [...SCANNED_EVENTS, 'clicked'];

const WINDOW = `interval '${SCAN_WINDOW_SECONDS} second'`;

/** $1: ids of messages of many accounts. Locks and returns those that are not locked. */
export const LOCK_IDLE_MESSAGES = 'SELECT id FROM message_logs WHERE id = ANY($1) FOR UPDATE SKIP LOCKED';

/**
 * $1: ids of locked messages. Finds clicks on several links within SCAN_WINDOW_SECONDS of the submission or delivery,
 * flags those that are not flagged yet as automated, and subtracts them from the messages' counts.
 */
export const DISCOUNT_SCANNERS = `
  WITH relevant AS MATERIALIZED (
    SELECT e.message_id, e.id, e.type, e.occurred_at, e.data FROM email_events e
    WHERE e.message_id = ANY($1) AND e.type IN (${textList(SCAN_TYPES)})
  ), clicks AS (
    SELECT c.message_id, c.id, c.data,
      min(c.data ->> 'url') OVER arrival < max(c.data ->> 'url') OVER arrival AS is_scan
    FROM relevant a JOIN relevant c ON c.message_id = a.message_id AND c.type = 'clicked'
      AND c.occurred_at BETWEEN a.occurred_at - ${WINDOW} AND a.occurred_at + ${WINDOW}
    WHERE a.type <> 'clicked'
    WINDOW arrival AS (PARTITION BY a.message_id, a.id)
  ), flagged AS (
    UPDATE email_events e SET data = e.data || '{"automated": true}'
    FROM (SELECT DISTINCT message_id, id FROM clicks WHERE is_scan AND data -> 'automated' IS DISTINCT FROM 'true') s
    WHERE e.message_id = s.message_id AND e.id = s.id AND e.message_id = ANY($1)
    RETURNING e.message_id, e.occurred_at, e.type
  ), activity AS (${countCampaignEvents(
    `
      SELECT m.account_id, m.campaign_id, f.occurred_at, f.type
      FROM flagged f JOIN message_logs m ON m.id = f.message_id AND m.id = ANY($1)`,
    '-',
  )}
  )
  UPDATE message_logs m SET clicks = m.clicks - f.clicks
  FROM (SELECT message_id, count(*) AS clicks FROM flagged GROUP BY message_id) f
  WHERE m.id = f.message_id AND m.id = ANY($1)`;
