import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { HandlesJob, type JobHandler } from '../../../platform/queue/job-handler.js';
import type { JobPayloads } from '../../../shared/jobs.js';
import { type AttemptReport, DeliverWebhooks } from '../application/deliver-webhooks.service.js';

const RENEW_EVERY_MS = 10_000;

@Injectable()
@HandlesJob('deliver-webhooks')
export class DeliverWebhooksHandler implements JobHandler<'deliver-webhooks'> {
  constructor(
    private readonly deliverWebhooks: DeliverWebhooks,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  /** The job only wakes: its place in the queue is free again at once, however long the endpoints take. */
  handle(
    { endpointIds }: JobPayloads['deliver-webhooks'],
    stopping: AbortSignal,
    detach: (work: Promise<void>) => void,
  ): Promise<void> {
    for (const endpointId of endpointIds)
      detach(
        this.deliverWebhooks.drain(endpointId, stopping, (report) => {
          this.tell(report);
        }),
      );
    return Promise.resolve();
  }

  @Interval(RENEW_EVERY_MS)
  async renewLeases(): Promise<void> {
    await this.deliverWebhooks.renewLeases().catch((error: unknown) => {
      this.log.warn({ event: 'renew-webhook-leases', error: (error as Error).message });
    });
  }

  private tell({ delivery, statusCode, durationMs, outcome }: AttemptReport): void {
    const { accountId, endpointId, id: deliveryId, attemptId, number: attempt, event: webhookEvent } = delivery;
    this.metrics.webhookAttempts.observe({ outcome }, durationMs / 1_000);
    const ids = { accountId, endpointId, deliveryId, attemptId };
    this.log.info({ event: 'webhook_attempt', ...ids, webhookEvent, attempt, outcome, statusCode, durationMs });
  }
}
