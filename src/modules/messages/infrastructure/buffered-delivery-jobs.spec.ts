import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { JobQueue, type NewJob } from '../../../shared/ports/job-queue.js';
import { BufferedDeliveryJobs } from './buffered-delivery-jobs.js';

/** Refuses every second job as often as it is told to. */
class HalfFailingQueue extends JobQueue {
  readonly taken: string[] = [];
  readonly sizes: number[] = [];
  private asked = 0;

  constructor(private refusals: number) {
    super();
  }

  enqueue(jobs: readonly NewJob[]): Promise<void> {
    if (this.asked++ % 2 === 0 && this.refusals-- > 0) return Promise.reject(new Error('away'));
    for (const { payload } of jobs as readonly { payload: { messageIds: string[] } }[]) {
      this.taken.push(...payload.messageIds);
      this.sizes.push(payload.messageIds.length);
    }
    return Promise.resolve();
  }
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => `m${i}`);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('BufferedDeliveryJobs', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  afterAll(() => {
    Logger.overrideLogger(['log', 'error', 'warn']);
  });

  it('passes on what the queue refused, and nothing twice', async () => {
    const queue = new HalfFailingQueue(5);
    const alarm = new BufferedDeliveryJobs(queue);
    for (const id of ids(20)) alarm.ring({ messageId: id, accountId: `account of ${id}`, channel: 'email' });
    await until(() => queue.taken.length >= 20);
    expect(queue.taken.sort()).toEqual(ids(20).sort());
  });

  it('lets those of an account share jobs, fifty each', async () => {
    const queue = new HalfFailingQueue(0);
    const alarm = new BufferedDeliveryJobs(queue);
    for (const id of ids(1_101)) alarm.ring({ messageId: id, accountId: 'a', channel: 'email' });
    await until(() => queue.taken.length >= 1_101);
    expect(queue.taken).toEqual(ids(1_101));
    expect(queue.sizes).toEqual([1, ...Array<number>(22).fill(50)]);
  });
});
