import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { HandlesJob, type JobHandler } from '../../../platform/queue/job-handler.js';
import type { JobPayloads } from '../../../shared/jobs.js';
import { KeyedLimit } from '../../../shared/keyed-limit.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { DeliverEmail } from '../application/deliver-email.service.js';

/** Messages of one account that a process has in its hands: enough to keep all connections to its relay busy. */
const IN_FLIGHT_PER_ACCOUNT = 30;
const RENEW_EVERY_MS = 10_000;

@Injectable()
@HandlesJob('deliver-email')
export class DeliverEmailHandler implements JobHandler<'deliver-email'> {
  private readonly limit = new KeyedLimit(IN_FLIGHT_PER_ACCOUNT);

  constructor(
    private readonly deliverEmail: DeliverEmail,
    private readonly queue: JobQueue,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  async handle({ accountId, messageIds }: JobPayloads['deliver-email'], stopping: AbortSignal): Promise<void> {
    const notBegun: string[] = [];
    const results = await Promise.allSettled(
      messageIds.map((messageId) =>
        this.limit.run(accountId, async () => {
          if (stopping.aborted) notBegun.push(messageId);
          else await this.deliver(accountId, messageId);
        }),
      ),
    );
    if (notBegun.length > 0)
      await this.queue.enqueue([{ name: 'deliver-email', payload: { accountId, messageIds: notBegun } }]);
    const faults = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    if (faults.length > 0)
      throw new AggregateError(faults, `${faults.length} of ${messageIds.length} messages: ${String(faults[0])}`);
  }

  @Interval(RENEW_EVERY_MS)
  async renewLeases(): Promise<void> {
    await this.deliverEmail.renewLeases().catch((error: unknown) => {
      this.log.warn({ event: 'renew-leases', error: (error as Error).message });
    });
  }

  private async deliver(accountId: string, messageId: string): Promise<void> {
    const startedAt = performance.now();
    const report = await this.deliverEmail.deliver(accountId, messageId);
    if (!report) return;
    const durationMs = performance.now() - startedAt;
    const { outcome, attempt } = report;
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
