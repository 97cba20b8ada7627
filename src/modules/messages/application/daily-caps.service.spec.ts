import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import type { CapUsage } from '../domain/daily-caps.js';
import { DailyCaps } from './daily-caps.service.js';
import type { DailyUsage } from './ports/daily-usage.js';

class FixedClock extends Clock {
  now = () => new Date('2026-03-01T18:00:00Z');
}

const used: CapUsage = { accountCap: 10, accountUsed: 3, keyLimit: 5, keyUsed: 2, testBytes: 0 };

function dailyCaps() {
  const calls: unknown[] = [];
  const recorded =
    (name: string) =>
    (...call: unknown[]) => {
      calls.push([name, ...call]);
      return Promise.resolve(used);
    };
  const usage = { get: recorded('get'), getRecent: recorded('getRecent') } as unknown as DailyUsage;
  return { caps: new DailyCaps(usage, new FixedClock()), calls };
}

describe('DailyCaps', () => {
  it('reads the usage of a key and its account', async () => {
    const { caps, calls } = dailyCaps();
    expect(await caps.peek('account', 'key', 5)).toBe(used);
    expect(calls).toEqual([['getRecent', 'account', 'key', 5]]);
  });

  it('reads the usage of an account alone', async () => {
    const { caps, calls } = dailyCaps();
    expect(await caps.ofAccount('account')).toEqual({ cap: 10, used: 3 });
    expect(calls).toEqual([['get', 'account', 'account', null]]);
  });

  it('refuses only over a cap', () => {
    const { caps } = dailyCaps();
    expect(caps.refusal(used)).toBeUndefined();
    expect(caps.refusal({ ...used, keyUsed: 5 })?.code).toBe('key_daily_limit');
    expect(caps.refusal({ ...used, accountUsed: 10 })).toMatchObject({ retryAfterSeconds: 6 * 3_600 });
  });

  it('resets at the next UTC midnight', () => {
    expect(dailyCaps().caps.resetsAt()).toEqual(new Date('2026-03-02'));
  });
});
