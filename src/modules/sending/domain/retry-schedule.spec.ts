import { describe, expect, it } from '@jest/globals';

import { hasWaitedTooLong, MAX_ATTEMPTS, retryDelayMs, throttledDelayMs } from './retry-schedule.js';

describe('The retry schedule', () => {
  const delays = (random: number) =>
    Array.from({ length: MAX_ATTEMPTS - 1 }, (_, i) => retryDelayMs(i + 1, random) ?? NaN);

  it('allows eight attempts, each wait longer than the one before', () => {
    expect(MAX_ATTEMPTS).toBe(8);
    expect(retryDelayMs(MAX_ATTEMPTS, 0)).toBeNull();
    expect([...delays(0)].sort((a, b) => a - b)).toEqual(delays(0));
  });

  it('takes about a day, spread by up to a tenth', () => {
    const hours = (random: number) => delays(random).reduce((sum, delay) => sum + delay, 0) / 3_600_000;
    expect(hours(0)).toBeCloseTo(23.7, 1);
    expect(hours(0.9999)).toBeCloseTo(26.1, 1);
  });

  it('lets those that were throttled come back within half a minute, not all at once', () => {
    expect(throttledDelayMs(0)).toBe(5_000);
    expect(throttledDelayMs(0.9999)).toBeLessThanOrEqual(30_000);
  });

  it('ends the wait for a provider after two days', () => {
    const at = (time: string) => new Date(time);
    expect(hasWaitedTooLong(at('2026-01-01T00:00:00Z'), at('2026-01-02T23:59:59Z'))).toBe(false);
    expect(hasWaitedTooLong(at('2026-01-01T00:00:00Z'), at('2026-01-03T00:00:00Z'))).toBe(true);
  });
});
