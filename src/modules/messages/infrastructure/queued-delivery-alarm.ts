import { Injectable, Logger } from '@nestjs/common';

import { chunk } from '../../../shared/chunk.js';
import { groupBy } from '../../../shared/group-by.js';
import { DELIVERY_JOB_OF } from '../../../shared/jobs.js';
import { JobQueue, type NewJob } from '../../../shared/ports/job-queue.js';
import { DeliveryAlarm } from '../application/ports/delivery-alarm.js';
import type { PendingDelivery } from '../domain/delivery.js';

const IDS_PER_JOB = 50;
/** A job costs the queue about as much as accepting twenty messages costs: under load they share one. */
const PAUSE_BETWEEN_JOBS_MS = 25;
const RING_AGAIN_AFTER_MS = 1_000;
/** Alarms that wait for a slow queue; beyond this they are left to the sweep. */
const MAX_WAITING = 50_000;

/**
 * An alarm that finds the queue at rest is passed on at once; those of the following moments share jobs. While the queue is away
 * they are kept, as far as they have room: nothing waits for long once it is back.
 */
@Injectable()
export class QueuedDeliveryAlarm extends DeliveryAlarm {
  private readonly logger = new Logger(QueuedDeliveryAlarm.name);
  private waiting: PendingDelivery[] = [];
  private busy = false;

  constructor(private readonly queue: JobQueue) {
    super();
  }

  ring(delivery: PendingDelivery): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(delivery);
    if (!this.busy) void this.passOn();
  }

  private async passOn(): Promise<void> {
    this.busy = true;
    const deliveries = this.waiting;
    this.waiting = [];
    let pausedUntil = performance.now() + PAUSE_BETWEEN_JOBS_MS;
    try {
      await this.queue.enqueue(toJobs(deliveries));
    } catch (error) {
      this.logger.warn(`${deliveries.length} messages wait for the queue: ${(error as Error).message}`);
      this.waiting = [...deliveries, ...this.waiting].slice(0, MAX_WAITING);
      pausedUntil = performance.now() + RING_AGAIN_AFTER_MS;
    }
    setTimeout(() => {
      this.busy = false;
      if (this.waiting.length > 0) void this.passOn();
    }, pausedUntil - performance.now()).unref();
  }
}

/** Jobs of up to 50 ids, each of one account. */
function toJobs(deliveries: readonly PendingDelivery[]): NewJob[] {
  const groups = groupBy(deliveries, ({ channel, accountId }) => `${channel} ${accountId}`);
  return [...groups.values()].flatMap((group) => {
    const [{ accountId, channel }] = group as [PendingDelivery, ...PendingDelivery[]];
    const name = DELIVERY_JOB_OF[channel];
    const ids = group.map(({ messageId }) => messageId);
    return chunk(ids, IDS_PER_JOB).map((messageIds) => ({ name, payload: { accountId, messageIds } }));
  });
}
