import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { Database } from '../../../../platform/database/database.js';
import { JobQueue, type NewJob } from '../../../../shared/ports/job-queue.js';
import { BufferedDeliveryJobs } from './buffered-delivery-jobs.js';

/** Refuses every second job, a given number of times. */
class HalfFailingQueue extends JobQueue {
  readonly enqueued: string[] = [];
  readonly sizes: number[] = [];
  private calls = 0;

  constructor(private refusals: number) {
    super();
  }

  enqueue(jobs: readonly NewJob[]): Promise<void> {
    if (this.calls++ % 2 === 0 && this.refusals-- > 0) return Promise.reject(new Error('unavailable'));
    for (const { payload } of jobs as readonly { payload: { messageIds: string[] } }[]) {
      this.enqueued.push(...payload.messageIds);
      this.sizes.push(payload.messageIds.length);
    }
    return Promise.resolve();
  }
}

/** Longer than the pause between jobs. */
const SLOW_MS = 40;

class SlowQueue extends JobQueue {
  enqueued = 0;

  enqueue(): Promise<void> {
    jest.advanceTimersByTime(SLOW_MS);
    this.enqueued += 1;
    return Promise.resolve();
  }
}

const NO_TRANSACTION = {
  afterCommit: (call: () => void) => {
    call();
  },
} as Database;

const ids = (count: number) => Array.from({ length: count }, (_, i) => `m${i}`);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await jest.advanceTimersByTimeAsync(10);
}

describe('BufferedDeliveryJobs', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  afterAll(() => {
    Logger.overrideLogger(['log', 'error', 'warn']);
  });

  it('enqueues again what the queue refused, and nothing twice', async () => {
    const queue = new HalfFailingQueue(5);
    const jobs = new BufferedDeliveryJobs(queue, NO_TRANSACTION);
    for (const id of ids(20)) jobs.enqueue({ messageId: id, accountId: `account of ${id}`, lane: 'email' });
    await until(() => queue.enqueued.length >= 20);
    expect(queue.enqueued.sort()).toEqual(ids(20).sort());
  });

  it('puts a hundred messages of an account into a job', async () => {
    const queue = new HalfFailingQueue(0);
    const jobs = new BufferedDeliveryJobs(queue, NO_TRANSACTION);
    for (const id of ids(1_101)) jobs.enqueue({ messageId: id, accountId: 'a', lane: 'email' });
    await until(() => queue.enqueued.length >= 1_101);
    expect(queue.enqueued).toEqual(ids(1_101));
    expect(queue.sizes).toEqual([...Array<number>(11).fill(100), 1]);
  });

  it('keeps room for other accounts while the queue refuses many messages of one, and gives it back', async () => {
    const queue = new HalfFailingQueue(1);
    const jobs = new BufferedDeliveryJobs(queue, NO_TRANSACTION);
    const many = ids(60_000);
    for (const id of many) jobs.enqueue({ messageId: id, accountId: 'a', lane: 'email' });
    jobs.enqueue({ messageId: 'other', accountId: 'b', lane: 'email' });
    await until(() => queue.enqueued.includes('other'));
    // The first of the five jobs that are enqueued together is refused.
    const order = [...many.slice(100, 500), ...many.slice(0, 100), ...many.slice(500, 25_000), 'other'];
    expect(queue.enqueued).toEqual(order);
    jobs.enqueue({ messageId: 'next', accountId: 'a', lane: 'email' });
    await until(() => queue.enqueued.includes('next'));
  });

  it('enqueues what waits before the process ends', async () => {
    const queue = new HalfFailingQueue(0);
    const jobs = new BufferedDeliveryJobs(queue, NO_TRANSACTION);
    for (const id of ids(1_101)) jobs.enqueue({ messageId: id, accountId: 'a', lane: 'email' });
    await jobs.beforeApplicationShutdown();
    expect(queue.enqueued).toEqual(ids(1_101));
  });

  it('does not wait for a queue that refuses when the process ends', async () => {
    const queue = new HalfFailingQueue(5);
    const jobs = new BufferedDeliveryJobs(queue, NO_TRANSACTION);
    for (const id of ids(20)) jobs.enqueue({ messageId: id, accountId: `account of ${id}`, lane: 'email' });
    await jobs.beforeApplicationShutdown();
    expect(queue.enqueued.length).toBeLessThan(20);
    await until(() => queue.enqueued.length >= 20);
  });

  it('enqueues nothing before the transaction has committed', async () => {
    const queue = new HalfFailingQueue(0);
    const calls: (() => void)[] = [];
    const jobs = new BufferedDeliveryJobs(queue, { afterCommit: (call) => void calls.push(call) } as Database);
    for (const id of ids(3)) jobs.enqueue({ messageId: id, accountId: 'a', lane: 'bulk' });
    await Promise.resolve();
    expect(queue.enqueued).toEqual([]);
    for (const call of calls) call();
    await until(() => queue.enqueued.length >= 3);
    expect(queue.enqueued).toEqual(ids(3));
  });

  it('has no room for a sweep while many messages of its lanes wait', async () => {
    const queue = new HalfFailingQueue(0);
    const jobs = new BufferedDeliveryJobs(queue, NO_TRANSACTION);
    expect(jobs.hasRoom('others')).toBe(true);
    for (const id of ids(10_001)) jobs.enqueue({ messageId: id, accountId: 'a', lane: 'email' });
    expect(jobs.hasRoom('others')).toBe(false);
    expect(jobs.hasRoom('bulk')).toBe(true);
    await jobs.beforeApplicationShutdown();
    expect(jobs.hasRoom('others')).toBe(true);
  });

  it('does not pause after a slow job', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const queue = new SlowQueue();
    const jobs = new BufferedDeliveryJobs(queue, NO_TRANSACTION);
    jobs.enqueue({ messageId: 'first', accountId: 'a', lane: 'email' });
    await until(() => queue.enqueued === 1);
    jobs.enqueue({ messageId: 'second', accountId: 'a', lane: 'email' });
    await until(() => queue.enqueued === 2);
    const delays = timers.mock.calls.map(([, ms]) => ms ?? 0);
    timers.mockRestore();
    expect(delays).toContain(0);
    expect(Math.min(...delays)).toBe(0); // Node warns of a negative one
  });
});
