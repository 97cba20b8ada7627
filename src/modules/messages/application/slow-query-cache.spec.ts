import { beforeEach, describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import type { TtlCache } from '../../../concurrency/ttl-cache.js';
import { slowQueryCache } from './slow-query-cache.js';

class SteppedClock extends Clock {
  ms = 0;
  now = () => new Date(this.ms);
}

describe('slowQueryCache', () => {
  let clock: SteppedClock;
  let cache: TtlCache<number>;
  let loads: number;

  beforeEach(() => {
    clock = new SteppedClock();
    cache = slowQueryCache(clock);
    loads = 0;
  });

  const query = (tookMs: number, key = 'a') =>
    cache.get(key, async () => {
      await Promise.resolve();
      clock.ms += tookMs;
      return ++loads;
    });

  it('does not cache quick queries', async () => {
    expect([await query(249), await query(249)]).toEqual([1, 2]);
  });

  it('shares one query between concurrent callers', async () => {
    expect(await Promise.all([query(1), query(1), query(1, 'b')])).toEqual([1, 1, 2]);
  });

  it('caches a slow result for twenty times as long as the query took', async () => {
    await query(2_000);
    clock.ms += 39_999;
    expect(await query(2_000)).toBe(1);
    clock.ms += 1;
    expect(await query(2_000)).toBe(2);
  });

  it('caches for a minute at most', async () => {
    await query(100_000);
    clock.ms += 60_000;
    expect(await query(1)).toBe(2);
  });

  it('queries again after a failure', async () => {
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await query(1)).toBe(1);
  });
});
