import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';

import { MAX_WAITING_FOR_QUEUE } from '../../../../config/limits.js';
import { Limiter, type Release } from '../../../../concurrency/limiter.js';
import { Database } from '../../../../platform/database/database.js';
import { chunk, groupBy } from '../../../../shared/collections.js';
import type { DeliveryLane } from '../../../../shared/channel.js';
import { DELIVERY_JOB_OF } from '../../../../shared/jobs.js';
import { JobQueue, type NewJob } from '../../../../shared/ports/job-queue.js';
import { DeliveryJobs, type SweptLanes } from '../../application/ports/pending-delivery.repository.js';
import type { PendingDelivery } from '../../domain/delivery.js';

const IDS_PER_JOB = 100;
/** Messages per flush. In the worst case each belongs to another account and needs a job of its own. */
const MAX_BATCH = 500;
/** A job costs as much as accepting about twenty messages, so messages share jobs under load. */
const PAUSE_BETWEEN_JOBS_MS = 25;
const RETRY_AFTER_MS = 1_000;
/**
 * Messages without room wait for the sweep, a minute and more: while the queue is down, one account must not fill all.
 */
const MAX_WAITING_OF_ACCOUNT = MAX_WAITING_FOR_QUEUE / 2;
/** Above this, the sweep stops: new messages, which wait behind what it enqueued, wait for half a second at most. */
const MAX_WAITING_FOR_SWEEP = 10_000;

/**
 * Each lane has its own buffer, so that none waits for another. In a transaction, jobs are enqueued once it has
 * committed: before that, workers would not find the messages.
 */
@Injectable()
export class BufferedDeliveryJobs extends DeliveryJobs implements BeforeApplicationShutdown {
  private readonly buffers: Readonly<Record<DeliveryLane, LaneBuffer>>;

  constructor(
    queue: JobQueue,
    private readonly database: Database,
  ) {
    super();
    const buffer = () => new LaneBuffer(queue);
    this.buffers = { bulk: buffer(), bulk_sms: buffer(), email: buffer(), sms: buffer() };
  }

  enqueue(delivery: PendingDelivery): void {
    this.database.afterCommit(() => {
      this.buffers[delivery.lane].add(delivery);
    });
  }

  hasRoom(lanes: SweptLanes): boolean {
    const { bulk, ...others } = this.buffers;
    return (lanes === 'bulk' ? [bulk] : Object.values(others)).every((buffer) => buffer.size < MAX_WAITING_FOR_SWEEP);
  }

  /** Deliveries that are not enqueued by the end of the process wait for the sweep, minutes later. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.buffers).map((buffer) => buffer.empty()));
  }
}

interface Buffered extends PendingDelivery {
  leave: Release;
}

/**
 * Enqueues a message at once if the queue is idle; messages that follow shortly share jobs. Messages that the queue
 * refuses are kept and submitted again, so that none waits long once the queue is back.
 */
class LaneBuffer {
  private readonly logger = new Logger(BufferedDeliveryJobs.name);
  private readonly waiting: Buffered[] = [];
  /** Includes those that are being enqueued. */
  private readonly buffered = new Limiter({ total: MAX_WAITING_FOR_QUEUE, perKey: MAX_WAITING_OF_ACCOUNT });
  private busy = false;
  private flushing = Promise.resolve();

  constructor(private readonly queue: JobQueue) {}

  get size(): number {
    return this.waiting.length;
  }

  add(delivery: PendingDelivery): void {
    const leave = this.buffered.tryAcquire(delivery.accountId);
    if (leave) this.waiting.push({ ...delivery, leave });
    if (this.busy) return;
    this.busy = true;
    // The messages of one transaction are added one after the other, and share jobs.
    queueMicrotask(() => {
      this.flushing = this.flush();
    });
  }

  /** Enqueues all that waits, without pauses, until the queue refuses something. */
  async empty(): Promise<void> {
    await this.flushing;
    while (this.waiting.length > 0) if (!(await this.enqueueSome())) return;
  }

  private async flush(): Promise<void> {
    const startedAt = performance.now();
    const succeeded = await this.enqueueSome();
    setTimeout(
      () => {
        this.busy = this.waiting.length > 0;
        if (this.busy) this.flushing = this.flush();
      },
      succeeded ? Math.max(0, startedAt + PAUSE_BETWEEN_JOBS_MS - performance.now()) : RETRY_AFTER_MS,
    ).unref();
  }

  private async enqueueSome(): Promise<boolean> {
    const groups = groupByJob(this.waiting.splice(0, MAX_BATCH));
    const results = await Promise.allSettled(groups.map((group) => this.queue.enqueue([toJob(group)])));
    const failed = results.find((result) => result.status === 'rejected');
    const refused: Buffered[] = [];
    for (const [i, group] of groups.entries())
      if (results[i]?.status === 'rejected') refused.push(...group);
      else for (const { leave } of group) leave();
    if (failed) this.keep(refused, failed.reason as Error);
    return !failed;
  }

  private keep(refused: Buffered[], { message }: Error): void {
    this.waiting.unshift(...refused);
    this.logger.warn(`${this.waiting.length} messages wait for the queue: ${message}`);
  }
}

/** Groups of up to IDS_PER_JOB, each of one account. */
function groupByJob(deliveries: readonly Buffered[]): Buffered[][] {
  const groups = groupBy(deliveries, ({ accountId }) => accountId);
  return [...groups.values()].flatMap((group) => chunk(group, IDS_PER_JOB));
}

function toJob(group: readonly PendingDelivery[]): NewJob {
  const [{ accountId, lane }] = group as [PendingDelivery, ...PendingDelivery[]];
  return {
    name: DELIVERY_JOB_OF[lane],
    payload: { accountId, messageIds: group.map(({ messageId }) => messageId) },
  };
}
