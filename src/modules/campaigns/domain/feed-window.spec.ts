import { describe, expect, it } from '@jest/globals';

import { FeedWindow } from './feed-window.js';

const RETRIED_AFTER_MS = 60_000;

/**
 * Workers that attempt `rate` messages per second. Attempts of messages for which `isPostponed` are repeated a minute
 * later, and then succeed if `isRetrySuccessful`.
 */
function simulate({
  seconds = 20,
  rate = () => 1_000,
  isPostponed = () => false,
  isRetrySuccessful = true,
}: {
  seconds?: number;
  rate?: (second: number) => number;
  isPostponed?: (index: number) => boolean;
  isRetrySuccessful?: boolean;
}) {
  const window = new FeedWindow();
  const due: { index: number; isRetry: boolean }[] = [];
  const postponed: { index: number; untilMs: number }[] = [];
  const ahead: number[] = [];
  let [added, submitted, carried] = [0, 0, 0];
  for (let atMs = 0; atMs < seconds * 1_000; atMs += 200) {
    while (postponed[0] && postponed[0].untilMs <= atMs) due.push({ index: postponed.shift()!.index, isRetry: true });
    const room = window.room({ due: due.length, postponed: postponed.length }, atMs);
    window.add(room);
    for (let i = 0; i < room; i++) due.push({ index: added++, isRetry: false });
    ahead.push(due.length);
    carried += rate(atMs / 1_000) / 5;
    const attempts = due.splice(0, Math.floor(carried));
    carried = attempts.length < Math.floor(carried) ? 0 : carried - attempts.length;
    for (const { index, isRetry } of attempts) {
      if (!isPostponed(index) || (isRetry && isRetrySuccessful)) submitted += 1;
      else postponed.push({ index, untilMs: atMs + RETRIED_AFTER_MS });
    }
  }
  return { ahead, added, submitted, postponed: postponed.length };
}

describe('The window of a feeder', () => {
  it('begins with a few messages and grows to about 1.5 seconds of the rate', () => {
    const { ahead, submitted } = simulate({});
    expect(ahead[0]).toBe(5);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1_600);
    expect(submitted).toBeGreaterThan(18_000);
  });

  it('shrinks when the workers slow down', () => {
    const { ahead } = simulate({ seconds: 40, rate: (second) => (second < 10 ? 1_000 : 100) });
    expect(ahead.at(-1)).toBeLessThanOrEqual(160);
  });

  it.each([1, 14])('is no more than a few seconds ahead of %i messages per second', (perSecond) => {
    const { ahead, submitted } = simulate({ seconds: 60, rate: () => perSecond });
    expect(Math.max(...ahead)).toBeLessThanOrEqual(Math.max(10, perSecond * 2));
    expect(submitted).toBeGreaterThanOrEqual(perSecond * 58);
  });

  it('adds little while nothing is attempted', () => {
    expect(simulate({ seconds: 600, rate: () => 0 }).added).toBeLessThanOrEqual(100);
  });

  it('goes on beside messages that a killed worker has left', () => {
    const window = new FeedWindow();
    const room = (atMs: number) => window.room({ due: 100, postponed: 0 }, atMs);
    expect(room(0)).toBe(0);
    expect(room(4_800)).toBe(0);
    expect(room(5_000)).toBe(5);
  });

  it('keeps the rate although many messages wait for their next attempt', () => {
    const isPostponed = (index: number) => index % 3 === 0;
    const { ahead, submitted, postponed } = simulate({ seconds: 50, isPostponed, isRetrySuccessful: false });
    expect(submitted).toBeGreaterThan(30_000);
    expect(postponed).toBeGreaterThan(15_000);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1_600);
  });

  it('passes thousands of recipients in a row who are postponed', () => {
    const { submitted } = simulate({ seconds: 180, isPostponed: (index) => index < 4_000 });
    expect(submitted).toBeGreaterThan(50_000);
  });

  it('adds a few from time to time while every attempt is postponed', () => {
    const away = { isPostponed: () => true, isRetrySuccessful: false };
    expect(simulate({ seconds: 60, ...away }).added).toBeLessThanOrEqual(1_200);
    expect(simulate({ seconds: 3_600, ...away }).added).toBeLessThanOrEqual(4_500);
  });

  it('begins with a few messages if an earlier feeder has left many that are postponed', () => {
    const left = new FeedWindow();
    expect(left.room({ due: 0, postponed: 30_000 }, 0)).toBe(5);
    left.add(5);
    expect(left.room({ due: 0, postponed: 30_005 }, 1_000)).toBeLessThanOrEqual(45);
    left.add(45);
    expect(left.room({ due: 0, postponed: 30_050 }, 2_000)).toBe(0);
    expect(left.room({ due: 0, postponed: 30_010 }, 3_000)).toBeGreaterThan(5);
  });
});
