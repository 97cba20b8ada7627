import { describe, expect, it } from '@jest/globals';

import { STATUS_PRECEDENCE, statusRank } from './event-rules.js';
import { MESSAGE_STATUSES } from './message-log.js';

describe('statusRank', () => {
  it('orders the statuses: sent < failed < delivered < bounced < complained', () => {
    const byRank = MESSAGE_STATUSES.filter((status) => STATUS_PRECEDENCE.some((known) => known === status)).sort(
      (a, b) => statusRank(a) - statusRank(b),
    );
    expect(byRank).toEqual(['sent', 'failed', 'delivered', 'bounced', 'complained']);
  });

  it.each(['suppressed', 'canceled'] as const)('ranks a %s message like a failed one', (status) => {
    expect(statusRank(status)).toBe(statusRank('failed'));
  });

  it.each(['queued', 'sending'] as const)('lets any event replace %s', (status) => {
    expect(statusRank(status)).toBe(0);
  });
});
