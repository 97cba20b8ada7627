import { describe, expect, it } from '@jest/globals';

import { MAX_ATTEMPTS, retryAfterMs, retryDelayMs } from './retry-schedule.js';

const MINUTE = 60_000;
const NOW = new Date('2026-11-21T10:00:00Z');

describe('retryDelayMs', () => {
  it('waits 1, 2, 4, 8 and 16 minutes between six attempts', () => {
    expect(MAX_ATTEMPTS).toBe(6);
    expect([1, 2, 3, 4, 5].map((attempt) => retryDelayMs(attempt, 0))).toEqual([1, 2, 4, 8, 16].map((n) => n * MINUTE));
    for (const attempt of [6, 7, 100]) expect(retryDelayMs(attempt, 0, 5 * MINUTE)).toBeNull();
  });

  it('adds up to 10 % of jitter', () => {
    expect(retryDelayMs(1, 0.9999)).toBeCloseTo(1.1 * MINUTE, -2);
    expect(retryDelayMs(5, 0.5)).toBe(16.8 * MINUTE);
  });

  it('waits as long as the receiver requests if that is longer, up to 32 minutes', () => {
    expect(retryDelayMs(1, 0, 10 * MINUTE)).toBe(10 * MINUTE);
    expect(retryDelayMs(5, 0.5, 10 * MINUTE)).toBe(16.8 * MINUTE);
    expect(retryDelayMs(1, 0, 24 * 60 * MINUTE)).toBe(32 * MINUTE);
  });
});

describe('retryAfterMs', () => {
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 21 Nov 2026 10:05:00 GMT', 5 * MINUTE],
    ['Saturday, 21-Nov-26 10:05:00 GMT', 5 * MINUTE],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    [null, 0],
    ['', 0],
    ['-5', 0],
    ['1.5', 0],
    ['5 minutes', 0],
    ['2026', 2_026_000],
    ['99999999999', 0],
    ['never, ever 10:00:00', 0],
  ])('%j', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
