import { describe, expect, it } from '@jest/globals';

import { statusRank } from './event-rules.js';
import { MESSAGE_STATUSES } from './message-log.js';

describe('statusRank', () => {
  it('orders the statuses: sent < failed < delivered < bounced < complained', () => {
    const byRank = MESSAGE_STATUSES.filter((status) => statusRank(status) > 0 && status !== 'suppressed').sort(
      (a, b) => statusRank(a) - statusRank(b),
    );
    expect(byRank).toEqual(['sent', 'failed', 'delivered', 'bounced', 'complained']);
  });

  it('ranks a suppressed message like a failed one', () => {
    expect(statusRank('suppressed')).toBe(statusRank('failed'));
  });

  it.each(['queued', 'sending'] as const)('lets any event replace %s', (status) => {
    expect(statusRank(status)).toBe(0);
  });
});
