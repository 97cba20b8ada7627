import { Injectable } from '@nestjs/common';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { JobHandler } from '../../../platform/queue/queue-processor.js';
import type { Channel } from '../../../shared/channel.js';
import { DELIVERY_JOB_OF } from '../../../shared/jobs.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { AccountLanes } from '../application/account-lanes.js';
import { DeliverMessages, type DeliveryReport } from '../application/deliver-messages.service.js';

type DeliveryJobHandler = JobHandler<(typeof DELIVERY_JOB_OF)[Channel]>;

/** Handles the delivery jobs. Each channel has its own queue and lanes, so that neither delays the other. */
@Injectable()
export class DeliveryHandler {
  constructor(
    private readonly deliverMessages: DeliverMessages,
    private readonly queue: JobQueue,
    private readonly faults: DatabaseFaults,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  forChannel(channel: Channel): DeliveryJobHandler {
    const lanes = new AccountLanes({
      deliver: (accountId, messageIds, stopping) =>
        this.deliverMessages.deliver(channel, accountId, messageIds, stopping, (report) => {
          this.report(channel, accountId, report);
        }),
      requeue: async (accountId, chunks, delayMs) => {
        const name = DELIVERY_JOB_OF[channel];
        await this.queue.enqueue(chunks.map((messageIds) => ({ name, payload: { accountId, messageIds }, delayMs })));
      },
      isTemporary: (error) => this.faults.isUnavailable(error),
    });
    return ({ accountId, messageIds }, stopping, detach) => lanes.deliver(accountId, messageIds, stopping, detach);
  }

  private report(channel: Channel, accountId: string, report: DeliveryReport): void {
    const { outcome, durationMs } = report;
    this.metrics.deliveries.observe({ channel, outcome }, durationMs / 1_000);
    this.log.info({ event: 'delivery', channel, accountId, ...report, durationMs: Math.round(durationMs) });
  }
}
