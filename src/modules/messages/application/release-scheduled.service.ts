import { Injectable } from '@nestjs/common';

import { DeliveryJobs } from './ports/pending-delivery.repository.js';
import { ScheduledDeliveries } from './ports/scheduled-deliveries.js';

/** Enqueues scheduled messages when their time has come. */
@Injectable()
export class ReleaseScheduled {
  constructor(
    private readonly deliveries: ScheduledDeliveries,
    private readonly jobs: DeliveryJobs,
  ) {}

  /** Returns how many messages it has enqueued. */
  async release(): Promise<number> {
    const due = await this.deliveries.releaseDueAcrossAccounts();
    for (const delivery of due) this.jobs.enqueue(delivery);
    return due.length;
  }
}
