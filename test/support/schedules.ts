import { ScheduledMessagesPoll } from '../../src/modules/messages/jobs/scheduled-messages.poll.js';
import type { TestService } from './service.js';

/** An ISO 8601 time that is so far ahead of the database's. */
export const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Schedules the messages $1 for $2 seconds from now, and returns that time for each. */
export const RESCHEDULE = `
  WITH moved AS (SELECT now() + $2::float8 * interval '1 second' AS at), pending AS (
    UPDATE pending_deliveries SET scheduled_at = at, next_attempt_at = at, sweep_at = at FROM moved
    WHERE message_id = ANY ($1) AND scheduled_at IS NOT NULL RETURNING message_id
  )
  UPDATE message_logs SET scheduled_at = at FROM moved WHERE id = ANY (ARRAY(SELECT message_id FROM pending))
  RETURNING at`;

/** As if the scheduled time of these messages had come. */
export async function makeDue(service: TestService, ids: readonly string[]): Promise<void> {
  await service.query(RESCHEDULE, [ids, 0]);
}

/** What every worker does twice a second, but not that of a test. Returns how many messages have been enqueued. */
export const release = (service: TestService): Promise<number> =>
  service.app.get(ScheduledMessagesPoll, { strict: false }).run();
