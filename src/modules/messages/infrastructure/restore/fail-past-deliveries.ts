import { insertLists } from '../../../../platform/database/columns.js';
import type { Database } from '../../../../platform/database/database.js';
import { newIds } from '../../../../shared/ids.js';
import { EmailEventSchema } from '../email-event.schema.js';
import { inFeedOf } from '../feed/feed-position.sql.js';

const AT_A_TIME = 500;
const ERROR = 'The database was restored from a backup, and the message may have been sent since that was made';

/**
 * Fails the messages of all accounts that were to be sent by this time, after a restore. Those that are scheduled for
 * later stay. Works in steps, which can be repeated. Returns how many have failed and how many stay.
 */
export async function failPastDeliveries(database: Database, now: Date): Promise<{ failed: number; kept: number }> {
  let failed = 0;
  let last: string | null = '';
  while (last !== null) {
    const values: unknown[] = [last, AT_A_TIME, now, newIds(now, AT_A_TIME), ERROR];
    const [step] = await database.query<{ failed: number; last: string | null }>(FAIL, values);
    failed += step?.failed ?? 0;
    last = step?.last ?? null;
  }
  const [left] = await database.query<{ kept: number }>(`SELECT count(*)::integer AS kept FROM pending_deliveries`);
  return { failed, kept: left?.kept ?? 0 };
}

const FAILED = insertLists(EmailEventSchema, {
  ...inFeedOf('f.account_id'),
  messageId: 'f.id',
  id: '($4::text[])[row_number() OVER ()]',
  type: `'failed'`,
  occurredAt: '$3',
  data: `jsonb_build_object('reason', $5::text)`,
});

/** $1 after this message, $2 the limit, $3 now, $4 as many ids for events, $5 the reason. */
const FAIL = `
  WITH past AS (
    SELECT message_id FROM pending_deliveries
    WHERE message_id > $1 AND (scheduled_at IS NULL OR scheduled_at <= $3)
    ORDER BY message_id LIMIT $2 FOR UPDATE
  ), removed AS (
    DELETE FROM pending_deliveries p WHERE p.message_id = ANY (ARRAY(SELECT message_id FROM past))
  ), failed AS (
    UPDATE message_logs m SET status = 'failed', error = $5
    WHERE m.id = ANY (ARRAY(SELECT message_id FROM past)) AND m.status = 'queued' RETURNING m.id, m.account_id
  ), events AS (
    INSERT INTO email_events (${FAILED.columns}) SELECT ${FAILED.values} FROM failed f
  )
  SELECT (SELECT count(*)::integer FROM failed) AS failed, (SELECT max(message_id) FROM past) AS last`;
