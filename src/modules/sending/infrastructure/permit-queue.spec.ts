import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { DeliveryLane } from '../../../shared/channel.js';
import { PermitQueue, type Waiter } from './permit-queue.js';

const NEVER = new AbortController().signal;

describe('PermitQueue', () => {
  function setUp() {
    const served: string[] = [];
    let dropped = 0;
    const queueOf = (first: Waiter) => new PermitQueue(first, () => (dropped += 1));
    const waiter = (name: string, lane: DeliveryLane, stopping = NEVER): Waiter => ({
      ...{ accountId: 'a', lane, stopping },
      resolve: (isPermitted) => served.push(isPermitted ? name : `not ${name}`),
      reject: () => served.push(`error of ${name}`),
    });
    return { served, waiter, queueOf, dropped: () => dropped };
  }
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it.each<[bulk: DeliveryLane, other: DeliveryLane]>([
    ['bulk', 'email'],
    ['bulk_sms', 'sms'],
  ])('gives a slot of %s to a message of %s that comes before its time', (bulk, other) => {
    const { served, waiter, queueOf } = setUp();
    const queue = queueOf(waiter('bulk', bulk));
    queue.serveIn(20, 1);
    queue.serveIn(30, 1);
    queue.add(waiter('reset', other));
    jest.advanceTimersByTime(30);
    expect(served).toEqual(['reset', 'bulk']);
  });

  it('wants slots for others first, and none for messages that will get one', async () => {
    const { served, waiter, queueOf } = setUp();
    const queue = queueOf(waiter('b0', 'bulk'));
    queue.add(waiter('b1', 'bulk'));
    expect(queue.wanted).toEqual({ count: 2, isBulk: true });
    queue.add(waiter('e0', 'email'));
    expect(queue.wanted).toEqual({ count: 1, isBulk: false });
    queue.serveIn(0, 1);
    expect(queue.wanted).toEqual({ count: 2, isBulk: true });
    jest.advanceTimersByTime(0);
    expect(served).toHaveLength(1);
    expect(queue.wanted).toEqual({ count: 2, isBulk: true });
  });

  it('wakes for a message that takes precedence, for any message when all have slots, and once it is empty', async () => {
    const { served, waiter, queueOf } = setUp();
    const queue = queueOf(waiter('b0', 'bulk'));
    const slept = queue.sleep(60_000);
    queue.add(waiter('e0', 'email'));
    await slept;
    const added = queue.untilAdded();
    queue.add(waiter('e1', 'email'));
    await added;
    for (let i = 0; i < 3; i++) queue.serveIn(0, 1);
    const emptied = queue.untilAdded();
    jest.advanceTimersByTime(0);
    await emptied;
    expect(served).toEqual(['e0', 'e1', 'b0']);
    await queue.sleep(60_000);
  });

  it('does not sleep through a message that arrived before it slept', async () => {
    const { waiter, queueOf } = setUp();
    const queue = queueOf(waiter('e0', 'email'));
    queue.serveIn(50, 1);
    queue.add(waiter('e1', 'email'));
    await queue.untilAdded();
    expect(queue.wanted.count).toBe(1);
    queue.reject(new Error('over'));
  });

  it('begins one message after a stall, and drops and counts the other slots that passed meanwhile', async () => {
    const { served, waiter, queueOf, dropped } = setUp();
    const queue = queueOf(waiter('e0', 'email'));
    for (const name of ['e1', 'e2']) queue.add(waiter(name, 'email'));
    for (const ms of [10, 20, 30]) queue.serveIn(ms, 60_000);
    const added = queue.untilAdded();
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 200); // stalled
    jest.advanceTimersByTime(30);
    await added;
    expect(queue.wanted.count).toBe(2);
    expect(served).toEqual(['e0']);
    expect(dropped()).toBe(2);
    queue.reject(new Error('over'));
  });

  it('refuses the messages of a worker that is stopping', async () => {
    const { served, waiter, queueOf } = setUp();
    const stopping = new AbortController();
    const queue = queueOf(waiter('b0', 'bulk', stopping.signal));
    queue.add(waiter('e0', 'email'));
    stopping.abort();
    queue.reject(new Error('database down'));
    expect(served).toEqual(['not b0', 'error of e0']);
    await queue.untilAdded();
  });
});
