import { MESSAGE_STATUSES } from '../../src/modules/messages/domain/message-log.js';
import type { MessageRow } from './message-rows.js';

/** The expected response if these messages are selected, in an account to which nothing else is reported. */
export function totalsOf(rows: readonly Partial<MessageRow>[]) {
  const inStatus = (wanted: string) => rows.filter(({ status }) => status === wanted).length;
  const statuses = MESSAGE_STATUSES.map((status) => [status, rows.filter((row) => row.status === status).length]);
  const engagement = (of: 'opens' | 'clicks') => {
    const counts = rows.map((row) => row[of] ?? 0);
    const total = counts.reduce((sum, count) => sum + count, 0);
    return { unique: counts.filter((count) => count > 0).length, total, reported: total > 0 };
  };
  return {
    total: rows.length,
    status: Object.fromEntries(statuses),
    deliveries: {
      total: inStatus('delivered') + inStatus('complained'),
      reported: inStatus('delivered') > 0,
    },
    opens: engagement('opens'),
    clicks: engagement('clicks'),
  };
}

/** A different number of messages in each status; some were opened and clicked. */
export const variety = (row: Partial<MessageRow> = {}): Partial<MessageRow>[] =>
  MESSAGE_STATUSES.flatMap((status, i) =>
    Array.from({ length: i + 1 }, (_, n) => ({
      ...row,
      status,
      ...(['queued', 'sending'].includes(status) ? {} : { opens: n % 3, clicks: n % 2 }),
    })),
  );
