import { describe, expect, it } from '@jest/globals';

import { ATTEMPTED_STATUSES, REPORTED_STATUSES, STATUS_RANKS } from './event-rules.js';
import { MESSAGE_STATUSES } from './message-log.js';

describe('STATUS_RANKS', () => {
  it('orders the statuses: sent < failed < delivered < bounced < complained', () => {
    const ranks = REPORTED_STATUSES.map((status) => STATUS_RANKS[status]);
    expect(ranks).toEqual([...new Set(ranks)].sort());
    expect(MESSAGE_STATUSES.filter((status) => STATUS_RANKS[status] === STATUS_RANKS.failed)).toEqual([
      'failed',
      'suppressed',
      'canceled',
    ]);
  });

  it('lets any event replace the statuses of a message that has no outcome yet, and no others', () => {
    expect(MESSAGE_STATUSES.filter((status) => STATUS_RANKS[status] === 0)).toEqual(['queued', 'sending']);
  });

  it('counts no status as attempted that a message can get without an attempt', () => {
    expect(MESSAGE_STATUSES.filter((status) => !(ATTEMPTED_STATUSES as readonly string[]).includes(status))).toEqual([
      'queued',
      'sending',
      'failed',
      'suppressed',
      'canceled',
    ]);
  });
});
