import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { EventFilter, FeedPosition } from '../domain/event-feed.js';
import { WAITS_PER_ACCOUNT, WAITS_PER_PROCESS } from '../../../config/limits.js';
import { EventWaits } from './event-waits.service.js';
import type { EventFeed, FeedNews } from './ports/event-feed.js';

const ALL: EventFilter = { apiKeyId: null, types: null };
const POLL_MS = 250;

const at = (transaction: number): FeedPosition => ({ transaction: BigInt(transaction), id: '' });
const news = (end: number, more: Partial<FeedNews> = {}): FeedNews => ({
  types: new Set(['delivered']),
  apiKeyIds: new Set(['key']),
  end: at(end),
  isCut: false,
  ...more,
});

/** Records what it is asked, and answers what the test says. */
class FakeFeed {
  readonly asked: Record<string, number>[] = [];
  answer: (accounts: string[]) => Promise<Map<string, FeedNews>> = () => Promise.resolve(new Map());

  readNewsAcrossAccounts(after: ReadonlyMap<string, FeedPosition>): Promise<Map<string, FeedNews>> {
    this.asked.push(Object.fromEntries([...after].map(([id, { transaction }]) => [id, Number(transaction)])));
    return this.answer([...after.keys()]);
  }
}

describe('EventWaits', () => {
  let feed: FakeFeed;
  let waits: EventWaits;
  const gone = new AbortController();

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    feed = new FakeFeed();
    waits = new EventWaits(feed as unknown as EventFeed);
  });
  afterEach(() => {
    waits.onModuleDestroy();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const wait = (accountId: string, after: number, filter: Partial<EventFilter> = {}, ms = 30_000, { signal } = gone) =>
    waits.wait(accountId, { ...ALL, ...filter }, at(after), { ms, signal });
  const nextPoll = () => jest.advanceTimersByTimeAsync(POLL_MS);

  it('asks once for all waits, from the earliest position of each account, and not at all without any', async () => {
    await jest.advanceTimersByTimeAsync(10 * POLL_MS);
    expect(feed.asked).toEqual([]);
    const waiting = [wait('a', 7), wait('a', 5), wait('b', 3)];
    await nextPoll();
    expect(feed.asked).toEqual([{ a: 5, b: 3 }]);
    feed.answer = () => Promise.resolve(new Map([['a', news(8)], ['b', news(9)]])); // prettier-ignore
    await nextPoll();
    expect(await Promise.all(waiting)).toEqual([
      { hasNews: true, after: at(7) },
      { hasNews: true, after: at(5) },
      { hasNews: true, after: at(3) },
    ]);
    await jest.advanceTimersByTimeAsync(10 * POLL_MS);
    expect(feed.asked).toHaveLength(2);
  });

  it.each([
    ['other types', { types: ['bounced' as const] }],
    ['messages of another key', { apiKeyId: 'other' }],
  ])('moves on a wait for %s', async (_, filter) => {
    const waiting = wait('a', 5, filter, 1_000);
    feed.answer = () => Promise.resolve(new Map([['a', news(8)]]));
    await nextPoll();
    feed.answer = () => Promise.resolve(new Map());
    await nextPoll();
    expect(feed.asked).toEqual([{ a: 5 }, { a: 8 }]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toEqual({ hasNews: false, after: at(8) });
  });

  it('ends a wait for which the news are too many to say', async () => {
    const waiting = wait('a', 5, { types: ['bounced'] });
    feed.answer = () => Promise.resolve(new Map([['a', news(8, { isCut: true })]]));
    await nextPoll();
    expect(await waiting).toEqual({ hasNews: true, after: at(5) });
  });

  it('does not move on a wait that began while the feed was asked', async () => {
    let answer: (found: Map<string, FeedNews>) => void = () => undefined;
    feed.answer = () => new Promise((resolve) => (answer = resolve));
    const first = wait('a', 7, { types: ['bounced'] });
    await nextPoll();
    // It has read less than the first: what the answer is about may lie before its position and yet be news to it.
    const second = wait('a', 5, { types: ['delivered'] });
    answer(new Map([['a', news(9)]]));
    feed.answer = () => Promise.resolve(new Map([['a', news(9)]]));
    await nextPoll();
    expect(feed.asked).toEqual([{ a: 7 }, { a: 5 }]);
    expect(await second).toEqual({ hasNews: true, after: at(5) });
    waits.onModuleDestroy();
    expect(await first).toEqual({ hasNews: false, after: at(9) });
  });

  it('asks more seldom if the feed answers slowly', async () => {
    let answer: (found: Map<string, FeedNews>) => void = () => undefined;
    feed.answer = () => new Promise((resolve) => (answer = resolve));
    void wait('a', 5);
    await nextPoll();
    await jest.advanceTimersByTimeAsync(100);
    answer(new Map());
    await jest.advanceTimersByTimeAsync(740);
    expect(feed.asked).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(20);
    expect(feed.asked).toHaveLength(2);
  });

  it('goes on after a failure', async () => {
    const waiting = wait('a', 5);
    feed.answer = () => Promise.reject(new Error('away'));
    await nextPoll();
    feed.answer = () => Promise.resolve(new Map([['a', news(8)]]));
    await nextPoll();
    expect(await waiting).toMatchObject({ hasNews: true });
  });

  it('ends with the time, with the signal, and at a stop, after which there are no waits', async () => {
    const leaving = new AbortController();
    const [timed, left, stopped] = [wait('a', 1, {}, 100), wait('a', 2, {}, 30_000, leaving), wait('b', 3)];
    await jest.advanceTimersByTimeAsync(100);
    expect(await timed).toEqual({ hasNews: false, after: at(1) });
    leaving.abort();
    expect(await left).toEqual({ hasNews: false, after: at(2) });
    expect(waits.size).toBe(1);
    waits.onModuleDestroy();
    expect(await stopped).toEqual({ hasNews: false, after: at(3) });
    expect(await wait('a', 4)).toEqual({ hasNews: false, after: at(4) });
    expect(waits.size).toBe(0);
  });

  it('admits so many per account and in total', () => {
    const leave = Array.from({ length: WAITS_PER_ACCOUNT }, () => waits.admit('a'));
    expect(() => waits.admit('a')).toThrow(expect.objectContaining({ kind: 'limit_exceeded', retryAfterSeconds: 5 }));
    leave.pop()?.();
    waits.admit('a');
    for (let i = WAITS_PER_ACCOUNT; i < WAITS_PER_PROCESS; i++) waits.admit(`b${i}`);
    expect(() => waits.admit('c')).toThrow(expect.objectContaining({ kind: 'unavailable', retryAfterSeconds: 5 }));
    expect(() => waits.admit('c')).toThrow(expect.objectContaining({ kind: 'unavailable' }));
    leave.pop()?.();
    waits.admit('c');
  });
});
