import { describe, expect, it } from '@jest/globals';

import { outcomeOf, spanOf, spanSince } from './activity.js';

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

describe('spanSince', () => {
  const since = (startedAt: string, endedAt: string | null, interval?: 'hour' | 'day') => {
    const times = { startedAt: new Date(startedAt), endedAt: endedAt === null ? null : new Date(endedAt) };
    const { interval: used, starts } = spanSince(times, now, interval);
    return [used, starts.length, starts[0]?.toISOString(), starts.at(-1)?.toISOString()];
  };

  it.each([
    ['an hour that has just begun', '2026-03-01T10:00:00Z', null, ['hour', 1, '03-01T10', '03-01T10']],
    ['two days', '2026-02-27T10:30:00Z', null, ['hour', 48, '02-27T11', '03-01T10']],
    ['longer than two days', '2026-02-27T10:20:00Z', '2026-02-27T11:00:00Z', ['day', 3, '02-27T00', '03-01T00']],
    ['a start that another clock has seen', '2026-03-01T11:00:00Z', null, ['hour', 1, '03-01T11', '03-01T11']],
  ])('shows %s', (_, startedAt, endedAt, [interval, count, first, last]) => {
    expect(since(startedAt, endedAt)).toEqual([interval, count, `2026-${first}:00:00.000Z`, `2026-${last}:00:00.000Z`]);
  });

  it('shows the first 48 hours or 90 days, or the last ones before the end', () => {
    const day = (text: string) => `${text}T00:00:00.000Z`;
    expect(since('2025-06-01', '2025-06-02')).toEqual(['day', 90, day('2025-06-01'), day('2025-08-29')]);
    expect(since('2025-06-01', '2025-12-31')).toEqual(['day', 90, day('2025-10-03'), day('2025-12-31')]);
    expect(since('2025-06-01', null)).toEqual(['day', 90, day('2025-12-02'), day('2026-03-01')]);
    expect(since('2026-02-01', '2026-02-01', 'hour')).toEqual([
      ...['hour', 48, day('2026-02-01'), '2026-02-02T23:00:00.000Z'],
    ]);
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
