import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import type { JobHandler } from '../../../platform/queue/queue-processor.js';
import { Tracing } from '../../../platform/tracing/tracing.js';
import { channelOf, type DeliveryLane } from '../../../shared/channel.js';
import { DELIVERY_JOB_OF } from '../../../shared/jobs.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { AccountLanes } from '../application/account-lanes.js';
import { DeliverMessages, type DeliveryReport } from '../application/deliver-messages.service.js';

type DeliveryJobHandler = JobHandler<(typeof DELIVERY_JOB_OF)[DeliveryLane]>;

const RENEW_EVERY_MS = 10_000;
const FAILURES: DeliveryReport['outcome'][] = ['retry', 'failed', 'bounced', 'opted_out'];

/** Handles the delivery jobs. Each lane has its own queue and accounts, so that none delays another. */
@Injectable()
export class DeliveryHandler {
  constructor(
    private readonly deliverMessages: DeliverMessages,
    private readonly queue: JobQueue,
    private readonly faults: DatabaseFaults,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  forLane(lane: DeliveryLane): DeliveryJobHandler {
    const lanes = new AccountLanes({
      deliver: (accountId, messageIds, stopping) =>
        this.deliverMessages.deliver(lane, accountId, messageIds, stopping, (report) => {
          this.report(lane, accountId, report);
          if (report.retryInMs !== undefined) this.wake(lane, accountId, report.messageId, report.retryInMs);
        }),
      requeue: async (accountId, chunks, delayMs) => {
        const name = DELIVERY_JOB_OF[lane];
        await this.queue.enqueue(chunks.map((messageIds) => ({ name, payload: { accountId, messageIds }, delayMs })));
      },
      isTemporary: (error) => this.faults.isUnavailable(error),
    });
    return ({ accountId, messageIds }, stopping, detach) => lanes.deliver(accountId, messageIds, stopping, detach);
  }

  @Interval(RENEW_EVERY_MS)
  async renewLeases(): Promise<void> {
    await this.deliverMessages.renewLeases().catch((error: unknown) => {
      this.log.warn({ event: 'renew-leases', error: (error as Error).message });
    });
  }

  /** If this job is lost, the sweep enqueues one a few seconds later. */
  private wake(lane: DeliveryLane, accountId: string, messageId: string, delayMs: number): void {
    const job = { name: DELIVERY_JOB_OF[lane], payload: { accountId, messageIds: [messageId] }, delayMs };
    this.queue.enqueue([job]).catch((error: unknown) => {
      this.log.warn({ event: 'wake', messageId, error: (error as Error).message });
    });
  }

  private report(lane: DeliveryLane, accountId: string, report: DeliveryReport): void {
    const { messageId, attempt, outcome, durationMs, isSimulated } = report;
    const channel = channelOf(lane);
    // Simulated failures must not alert the operator.
    if (!isSimulated) this.metrics.deliveries.observe({ channel, lane, outcome }, durationMs / 1_000);
    this.tracing.record({
      name: 'deliver message',
      subjectId: messageId,
      attributes: { 'message.id': messageId, 'account.id': accountId, channel, lane, attempt, outcome },
      isFailure: FAILURES.includes(outcome),
      durationMs,
    });
    this.log.info({ event: 'delivery', channel, lane, accountId, ...report, durationMs: Math.round(durationMs) });
  }
}
