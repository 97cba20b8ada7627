import { describe, expect, it } from '@jest/globals';

import { outcomeOf, spanOf } from './activity.js';

const now = new Date('2026-03-01T10:20:30.400Z');

describe('spanOf', () => {
  it('divides 24h into hours, the current one last', () => {
    const { interval, starts } = spanOf('24h', now);
    expect(interval).toBe('hour');
    expect(starts).toHaveLength(24);
    expect(starts[0]).toEqual(new Date('2026-02-28T11:00:00Z'));
    expect(starts[23]).toEqual(new Date('2026-03-01T10:00:00Z'));
  });

  it.each([
    ['7d', 7, '2026-02-23'],
    ['30d', 30, '2026-01-31'],
  ] as const)('divides %s into %i UTC days including today', (period, days, first) => {
    const { interval, starts } = spanOf(period, now);
    expect(interval).toBe('day');
    expect(starts).toHaveLength(days);
    expect(starts[0]).toEqual(new Date(first));
    expect(starts.at(-1)).toEqual(new Date('2026-03-01'));
  });
});

describe('outcomeOf', () => {
  const count = (status: 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed', messages: number) => ({
    status,
    messages,
    opened: 1,
    opens: 5,
    clicked: 0,
    clicks: 0,
  });

  it('counts bounces and complaints as sent, and complaints as delivered', () => {
    const counts = [count('queued', 1), count('sent', 2), count('delivered', 4), count('bounced', 8)];
    expect(outcomeOf([...counts, count('complained', 16), count('failed', 32)])).toEqual({
      accepted: 63,
      sent: 30,
      delivered: 20,
      bounced: 8,
      complained: 16,
      failed: 32,
      opened: 6,
      clicked: 0,
    });
  });
});
