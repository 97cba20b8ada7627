import { Injectable, Logger } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { groupBy } from '../../../shared/group-by.js';
import type { JobName } from '../../../shared/jobs.js';
import { JobQueue, type NewJob } from '../../../shared/ports/job-queue.js';
import { DeliveryAlarm } from '../application/ports/delivery-alarm.js';
import type { PendingDelivery } from '../domain/delivery.js';

const IDS_PER_JOB = 50;
const MAX_BATCH = 1_000;
/** Alarms that wait for a slow queue; beyond this they are left to the sweep. */
const MAX_WAITING = 50_000;
const JOB_OF: Partial<Record<PendingDelivery['channel'], JobName>> = { email: 'deliver-email' };

/** Alarms that arrive while the queue takes the previous ones share the next jobs. */
@Injectable()
export class QueuedDeliveryAlarm extends DeliveryAlarm {
  private readonly logger = new Logger(QueuedDeliveryAlarm.name);
  private waiting = 0;
  private readonly alarms = new Batcher<PendingDelivery, undefined>((deliveries) => this.enqueue(deliveries), {
    maxSize: MAX_BATCH,
  });

  constructor(private readonly queue: JobQueue) {
    super();
  }

  ring(delivery: PendingDelivery): void {
    if (this.waiting >= MAX_WAITING) return;
    this.waiting += 1;
    void this.alarms.add(delivery).finally(() => (this.waiting -= 1));
  }

  private async enqueue(deliveries: PendingDelivery[]): Promise<undefined[]> {
    try {
      await this.queue.enqueue(toJobs(deliveries));
    } catch (error) {
      this.logger.warn(`${deliveries.length} messages wait for the sweep: ${(error as Error).message}`);
    }
    return deliveries.map(() => undefined);
  }
}

/** Jobs of up to 50 ids, each of one account. */
function toJobs(deliveries: readonly PendingDelivery[]): NewJob[] {
  const groups = groupBy(deliveries, ({ channel, accountId }) => `${channel} ${accountId}`);
  return [...groups.values()].flatMap((group) => {
    const [{ accountId, channel }] = group as [PendingDelivery, ...PendingDelivery[]];
    const name = JOB_OF[channel];
    if (name === undefined) return [];
    const ids = group.map(({ messageId }) => messageId);
    return chunk(ids, IDS_PER_JOB).map((messageIds) => ({ name, payload: { accountId, messageIds } }));
  });
}

const chunk = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
