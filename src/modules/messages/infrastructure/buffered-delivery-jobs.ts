import { Injectable, Logger } from '@nestjs/common';

import { chunk, groupBy } from '../../../shared/collections.js';
import { DELIVERY_JOB_OF } from '../../../shared/jobs.js';
import { JobQueue, type NewJob } from '../../../shared/ports/job-queue.js';
import { DeliveryJobs } from '../application/ports/delivery-jobs.js';
import type { PendingDelivery } from '../domain/delivery.js';

const IDS_PER_JOB = 50;
/** Passed on at a time, so that the queue has time for each job whosever they are: in the worst case every one has its own. */
const PASSED_ON_AT_ONCE = 500;
/** A job costs the queue about as much as accepting twenty messages costs: under load they share one. */
const PAUSE_BETWEEN_JOBS_MS = 25;
const RING_AGAIN_AFTER_MS = 1_000;
/** Alarms that wait for a slow queue; beyond this they are left to the sweep. */
const MAX_WAITING = 50_000;

/**
 * An alarm that finds the queue at rest is passed on at once; those of the following moments share jobs. What the queue does not
 * take is kept, as far as there is room: nothing waits for long once it is back.
 */
@Injectable()
export class BufferedDeliveryJobs extends DeliveryJobs {
  private readonly logger = new Logger(BufferedDeliveryJobs.name);
  private readonly waiting: PendingDelivery[] = [];
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
    const startedAt = performance.now();
    const groups = perJob(this.waiting.splice(0, PASSED_ON_AT_ONCE));
    const results = await Promise.allSettled(groups.map((group) => this.queue.enqueue([toJob(group)])));
    const fault = results.find((result) => result.status === 'rejected');
    if (fault) this.keep(groups.filter((_, i) => results[i]?.status === 'rejected').flat(), fault.reason as Error);
    setTimeout(
      () => {
        this.busy = false;
        if (this.waiting.length > 0) void this.passOn();
      },
      fault ? RING_AGAIN_AFTER_MS : startedAt + PAUSE_BETWEEN_JOBS_MS - performance.now(),
    ).unref();
  }

  private keep(refused: PendingDelivery[], { message }: Error): void {
    this.waiting.unshift(...refused);
    this.logger.warn(`${this.waiting.length} messages wait for the queue: ${message}`);
  }
}

/** Up to 50 of one account and channel each. */
function perJob(deliveries: readonly PendingDelivery[]): PendingDelivery[][] {
  const groups = groupBy(deliveries, ({ channel, accountId }) => `${channel} ${accountId}`);
  return [...groups.values()].flatMap((group) => chunk(group, IDS_PER_JOB));
}

function toJob(group: readonly PendingDelivery[]): NewJob {
  const [{ accountId, channel }] = group as [PendingDelivery, ...PendingDelivery[]];
  return {
    name: DELIVERY_JOB_OF[channel],
    payload: { accountId, messageIds: group.map(({ messageId }) => messageId) },
  };
}
