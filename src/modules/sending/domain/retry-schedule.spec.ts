import { describe, expect, it } from '@jest/globals';

import { MAX_ATTEMPTS, retryDelayMs } from './retry-schedule.js';

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
});
