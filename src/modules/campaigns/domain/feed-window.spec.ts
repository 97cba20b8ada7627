import { describe, expect, it } from '@jest/globals';

import { FeedWindow } from './feed-window.js';

/** Workers that submit `rate` messages per second, of which `stuckShare` wait for a retry. */
function simulate(seconds: number, rate: (second: number) => number, stuckShare = 0) {
  const window = new FeedWindow();
  const ahead: number[] = [];
  let [ready, stuck, submitted, carried] = [0, 0, 0, 0];
  for (let atMs = 0; atMs < seconds * 1_000; atMs += 200) {
    const room = window.room(ready + stuck, atMs);
    window.add(room);
    ready += room;
    ahead.push(ready);
    carried += rate(atMs / 1_000) / 5;
    const done = Math.min(ready, Math.floor(carried));
    carried = done < Math.floor(carried) ? 0 : carried - done;
    ready -= done;
    stuck += done * stuckShare;
    submitted += done * (1 - stuckShare);
  }
  return { ahead, submitted, pending: ready + stuck };
}

describe('The window of a feeder', () => {
  it('begins with a few messages and grows to about 1.5 seconds of the rate', () => {
    const { ahead, submitted } = simulate(20, () => 1_000);
    expect(ahead[0]).toBe(50);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1_600);
    expect(submitted).toBeGreaterThan(18_000);
  });

  it('shrinks when the workers slow down', () => {
    const { ahead } = simulate(40, (second) => (second < 10 ? 1_000 : 100));
    expect(ahead.at(-1)).toBeLessThanOrEqual(160);
  });

  it('adds little while nothing is submitted', () => {
    expect(simulate(600, () => 0).pending).toBeLessThanOrEqual(1_000);
  });

  it('continues although many messages wait for a retry', () => {
    expect(simulate(60, () => 500, 0.1).submitted).toBeGreaterThan(10_000);
  });
});
