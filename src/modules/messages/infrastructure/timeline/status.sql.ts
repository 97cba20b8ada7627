import { textList } from '../../../../platform/database/columns.js';
import { ATTEMPTED_STATUSES, STATUS_RANKS } from '../../domain/event-rules.js';

const RANKED = Object.entries(STATUS_RANKS).filter(([, rank]) => rank > 0);

/** The rank of the status in the column by STATUS_RANKS. */
export const rankOf = (column: string): string => `
  CASE ${column} ${RANKED.map(([status, rank]) => `WHEN '${status}' THEN ${rank}`).join(' ')} ELSE 0 END`;

/**
 * Whether a worker has begun to submit the message in row `m` at least once. Its pending delivery counts the attempts,
 * without those that were released; once that is gone, the timeline has them, as events that nobody reported.
 */
export const isAttempted = (m: string): string => `(
    ${m}.status IN (${textList(ATTEMPTED_STATUSES)}) OR ${m}.sent_at IS NOT NULL
    OR EXISTS (SELECT FROM pending_deliveries p WHERE p.message_id = ${m}.id AND p.attempts > 0)
    OR EXISTS (
      SELECT FROM email_events a WHERE a.message_id = ${m}.id AND a.dedup_key IS NULL AND a.data ? 'attempt'))`;
