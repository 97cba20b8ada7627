import { describe, expect, it } from '@jest/globals';

import { permits } from './pace.js';

const START = Date.parse('2026-01-01T00:00:00Z');

/** The times of the messages when all permits are used, asked for every `pollMs`. */
function timesOf(maxPerMinute: number, pollMs: number, seconds: number): number[] {
  const times: number[] = [];
  let pacedUntil: Date | null = null;
  for (let atMs = 0; atMs <= seconds * 1_000; atMs += pollMs) {
    const { granted, after } = permits(maxPerMinute, pacedUntil, new Date(START + atMs));
    times.push(...Array.from({ length: granted }, () => atMs));
    pacedUntil = after(granted);
  }
  return times;
}

describe('The permits of a campaign', () => {
  it.each([1, 2, 7, 59, 60, 61, 600, 1_200, 60_000])('never exceed %i in any minute', (max) => {
    for (const pollMs of [200, 333, 1_000, 5_000]) {
      const times = timesOf(max, pollMs, 200);
      const tooMany = times.filter((at, i) => (times[i + max] ?? Infinity) < at + 60_000);
      expect(tooMany).toEqual([]);
    }
  });

  it.each([1, 60, 600, 60_000])('come close to %i a minute', (max) => {
    expect(timesOf(max, 200, 600).length).toBeGreaterThanOrEqual(Math.floor(max * 9.7));
  });

  it('grant the first message at once, and no more than those of a second after a long pause', () => {
    const now = new Date(START);
    expect(permits(1_200, null, now).granted).toBe(1);
    expect(permits(1, null, now).granted).toBe(1);
    expect(permits(6_000, new Date(START - 3_600_000), now).granted).toBe(98);
    expect(permits(1, new Date(START - 3_600_000), now).granted).toBe(1);
    expect(permits(60, new Date(START + 5_000), now).granted).toBe(0);
  });

  it('stay for those who did not use them', () => {
    const now = new Date(START);
    const { granted, after } = permits(6_000, new Date(START - 1_000), now);
    expect(permits(6_000, after(granted - 10), now).granted).toBe(10);
  });
});
