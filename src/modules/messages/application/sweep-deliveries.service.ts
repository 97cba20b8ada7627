import { Injectable } from '@nestjs/common';

import { DeliveryJobs, PendingDeliveryRepository, type SweptLanes } from './ports/pending-delivery.repository.js';

const BATCH_SIZE = 1_000;

/** Enqueues deliveries that no job covers: retries that are due, messages of killed workers, jobs the queue lost. */
@Injectable()
export class SweepDeliveries {
  constructor(
    private readonly deliveries: PendingDeliveryRepository,
    private readonly jobs: DeliveryJobs,
  ) {}

  /**
   * Returns how many deliveries it enqueued. Those without room stay overdue, so that they do not hold up new messages.
   */
  async sweep(): Promise<number> {
    return (await this.sweepLanes('others')) + (await this.sweepLanes('bulk'));
  }

  private async sweepLanes(lanes: SweptLanes): Promise<number> {
    let enqueued = 0;
    while (this.jobs.hasRoom(lanes)) {
      const overdue = await this.deliveries.takeOverdueAcrossAccounts(lanes, BATCH_SIZE);
      for (const delivery of overdue) this.jobs.enqueue(delivery);
      enqueued += overdue.length;
      if (overdue.length < BATCH_SIZE) break;
    }
    return enqueued;
  }
}
