import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { HandlesJob, type JobHandler } from '../../../platform/queue/job-handler.js';
import type { JobPayloads } from '../../../shared/jobs.js';
import { KeyedLimit } from '../../../shared/keyed-limit.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { DeliverEmail, type DeliveryReport } from '../application/deliver-email.service.js';

/** Jobs of one account that a process works on at a time: enough to keep its connections busy, few enough for a quick stop. */
const JOBS_PER_ACCOUNT = 3;
const RENEW_EVERY_MS = 10_000;

@Injectable()
@HandlesJob('deliver-email')
export class DeliverEmailHandler implements JobHandler<'deliver-email'> {
  private readonly limit = new KeyedLimit(JOBS_PER_ACCOUNT);

  constructor(
    private readonly deliverEmail: DeliverEmail,
    private readonly queue: JobQueue,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  async handle({ accountId, messageIds }: JobPayloads['deliver-email'], stopping: AbortSignal): Promise<void> {
    await this.limit.run(accountId, async () => {
      if (stopping.aborted) await this.queue.enqueue([{ name: 'deliver-email', payload: { accountId, messageIds } }]);
      else
        await this.deliverEmail.deliver(accountId, messageIds, (report) => {
          this.tell(accountId, report);
        });
    });
  }

  @Interval(RENEW_EVERY_MS)
  async renewLeases(): Promise<void> {
    await this.deliverEmail.renewLeases().catch((error: unknown) => {
      this.log.warn({ event: 'renew-leases', error: (error as Error).message });
    });
  }

  private tell(accountId: string, { messageId, attempt, outcome, durationMs }: DeliveryReport): void {
    this.metrics.deliveries.observe({ channel: 'email', outcome }, durationMs / 1_000);
    this.log.info({
      event: 'delivery',
      channel: 'email',
      accountId,
      messageId,
      attempt,
      outcome,
      durationMs: Math.round(durationMs),
    });
  }
}
