import { describe, expect, it } from '@jest/globals';

import { hasWaitedTooLong, MAX_ATTEMPTS, retryDelayMs, throttledDelayMs } from './retry-schedule.js';

describe('The retry schedule', () => {
  const delays = (random: number) =>
    Array.from({ length: MAX_ATTEMPTS - 1 }, (_, i) => retryDelayMs(i + 1, random) ?? NaN);

  it('allows eight attempts, with increasing delays', () => {
    expect(MAX_ATTEMPTS).toBe(8);
    expect(retryDelayMs(MAX_ATTEMPTS, 0)).toBeNull();
    expect([...delays(0)].sort((a, b) => a - b)).toEqual(delays(0));
  });

  it('takes about a day, with a jitter of up to 10 %', () => {
    const hours = (random: number) => delays(random).reduce((sum, delay) => sum + delay, 0) / 3_600_000;
    expect(hours(0)).toBeCloseTo(23.7, 1);
    expect(hours(0.9999)).toBeCloseTo(26.1, 1);
  });

  it('spreads the retries of throttled messages over half a minute', () => {
    expect(throttledDelayMs(0)).toBe(5_000);
    expect(throttledDelayMs(0.9999)).toBeLessThanOrEqual(30_000);
  });

  it('gives up on postponed messages after two days', () => {
    const at = (time: string) => new Date(time);
    expect(hasWaitedTooLong(at('2026-01-01T00:00:00Z'), at('2026-01-02T23:59:59Z'))).toBe(false);
    expect(hasWaitedTooLong(at('2026-01-01T00:00:00Z'), at('2026-01-03T00:00:00Z'))).toBe(true);
  });
});
