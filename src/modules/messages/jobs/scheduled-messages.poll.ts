import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Config } from '../../../config/config.js';
import { Poll } from '../../../platform/scheduling/poll.js';
import { DeliveryJobs } from '../application/ports/pending-delivery.repository.js';
import { ScheduledDeliveries } from '../application/ports/scheduled-deliveries.js';

/** The longest that a scheduled message waits beyond its time in an idle system; a poll reads an index. */
const POLL_INTERVAL_MS = 500;

/**
 * Enqueues scheduled messages when their time has come. Every worker polls: so each gets about as many messages into
 * the queue as it can deliver.
 */
@Injectable()
export class ScheduledMessagesPoll extends Poll {
  protected readonly failure = 'Scheduled messages are not released';

  constructor(
    private readonly deliveries: ScheduledDeliveries,
    private readonly jobs: DeliveryJobs,
    config: Config,
  ) {
    super(config);
  }

  @Interval(POLL_INTERVAL_MS)
  override poll(): void {
    super.poll();
  }

  /** Returns how many messages it has enqueued. */
  async run(): Promise<number> {
    const due = await this.deliveries.releaseDueAcrossAccounts();
    for (const delivery of due) this.jobs.enqueue(delivery);
    return due.length;
  }
}
