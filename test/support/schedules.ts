import { ReleaseScheduled } from '../../src/modules/messages/application/release-scheduled.service.js';
import type { TestService } from './service.js';

/** An ISO 8601 time that is so far ahead of the database's. */
export const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** As if the scheduled time of these messages had come. */
export async function makeDue(service: TestService, ids: readonly string[]): Promise<void> {
  await service.query(
    `WITH due AS (
       UPDATE pending_deliveries SET scheduled_at = now(), next_attempt_at = now(), sweep_at = now()
       WHERE message_id = ANY ($1) AND scheduled_at IS NOT NULL RETURNING message_id
     )
     UPDATE message_logs SET scheduled_at = now() WHERE id = ANY (ARRAY(SELECT message_id FROM due))`,
    [ids],
  );
}

/** What every worker does twice a second. Returns how many messages have been enqueued. */
export const release = (service: TestService): Promise<number> =>
  service.app.get(ReleaseScheduled, { strict: false }).release();
