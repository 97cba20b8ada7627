import { describe, expect, it } from '@jest/globals';

import type { PendingDelivery } from '../domain/delivery.js';
import { DeliveryJobs, type PendingDeliveryRepository } from './ports/pending-delivery.repository.js';
import { SweepDeliveries } from './sweep-deliveries.service.js';

class RecordedJobs extends DeliveryJobs {
  readonly enqueued: string[] = [];

  constructor(private readonly room: number) {
    super();
  }

  enqueue({ messageId }: PendingDelivery): void {
    this.enqueued.push(messageId);
  }

  hasRoom = (): boolean => this.enqueued.length < this.room;
}

function sweepOf(count: number, room = Infinity) {
  const overdue = Array.from({ length: count }, (_, i) => ({ messageId: `m${i}`, accountId: 'a', lane: 'email' }));
  const limits: number[] = [];
  const deliveries = {
    takeOverdueAcrossAccounts: (lanes: string, limit: number) => {
      if (lanes === 'bulk') return Promise.resolve([]);
      limits.push(limit);
      return Promise.resolve(overdue.splice(0, limit));
    },
  } as unknown as PendingDeliveryRepository;
  const jobs = new RecordedJobs(room);
  return { sweep: new SweepDeliveries(deliveries, jobs), jobs, limits };
}

describe('SweepDeliveries', () => {
  it('enqueues nothing if nothing is overdue', async () => {
    const { sweep, jobs } = sweepOf(0);
    expect(await sweep.sweep()).toBe(0);
    expect(jobs.enqueued).toEqual([]);
  });

  it('enqueues all overdue deliveries, in batches', async () => {
    const { sweep, jobs, limits } = sweepOf(2_001);
    expect(await sweep.sweep()).toBe(2_001);
    expect(new Set(jobs.enqueued).size).toBe(2_001);
    expect(limits).toEqual([1_000, 1_000, 1_000]);
  });

  it('leaves the rest overdue if no more may wait for the queue', async () => {
    const { sweep, jobs, limits } = sweepOf(5_000, 1_500);
    expect(await sweep.sweep()).toBe(2_000);
    expect(jobs.enqueued).toHaveLength(2_000);
    expect(limits).toEqual([1_000, 1_000]);
  });
});
