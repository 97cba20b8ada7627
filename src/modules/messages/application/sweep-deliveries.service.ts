import { Injectable } from '@nestjs/common';

import { DeliveryJobs } from './ports/delivery-jobs.js';
import { PendingDeliveryRepository } from './ports/pending-delivery.repository.js';

const BATCH = 1_000;

/** Finds what no job is going to deliver: retries that are due, messages of killed workers, jobs that the queue lost. */
@Injectable()
export class SweepDeliveries {
  constructor(
    private readonly ledger: PendingDeliveryRepository,
    private readonly alarm: DeliveryJobs,
  ) {}

  /** How many alarms it rang. */
  async sweep(): Promise<number> {
    let rung = 0;
    for (;;) {
      const overdue = await this.ledger.takeOverdueAcrossAccounts(BATCH);
      for (const delivery of overdue) this.alarm.ring(delivery);
      rung += overdue.length;
      if (overdue.length < BATCH) return rung;
    }
  }
}
