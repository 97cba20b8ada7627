import { Processor } from '@nestjs/bullmq';
import { Interval } from '@nestjs/schedule';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Tracing } from '../../../platform/tracing/tracing.js';
import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import type { AttemptReport } from '../application/attempt-delivery.service.js';
import { DeliverWebhooks } from '../application/deliver-webhooks.service.js';

const RENEW_EVERY_MS = 10_000;

@Processor('webhook-delivery', { ...WORKER_OPTIONS, concurrency: 10 })
export class WebhookDeliveryProcessor extends QueueProcessor<'webhook-delivery'> {
  readonly handlers: JobHandlers<'webhook-delivery'> = {
    // The job only triggers the work: it ends at once, however long the deliveries take.
    'deliver-webhooks': ({ endpointIds }, stopping, detach) => {
      for (const endpointId of endpointIds)
        detach(
          this.deliverWebhooks.drain(endpointId, stopping, (report) => {
            this.logAttempt(report);
          }),
        );
      return Promise.resolve();
    },
  };

  constructor(
    private readonly deliverWebhooks: DeliverWebhooks,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    super();
  }

  @Interval(RENEW_EVERY_MS)
  async renewLeases(): Promise<void> {
    await this.deliverWebhooks.renewLeases().catch((error: unknown) => {
      this.log.warn({ event: 'renew-webhook-leases', error: (error as Error).message });
    });
  }

  private logAttempt({ delivery, statusCode, durationMs, outcome }: AttemptReport): void {
    const { accountId, endpointId, id: deliveryId, attemptId, number: attempt, event: webhookEvent } = delivery;
    this.metrics.webhookAttempts.observe({ outcome }, durationMs / 1_000);
    const ids = { accountId, endpointId, deliveryId, attemptId };
    this.tracing.record({
      name: 'attempt webhook',
      subjectId: deliveryId,
      attributes: {
        'account.id': accountId,
        'webhook.endpoint.id': endpointId,
        'webhook.delivery.id': deliveryId,
        'webhook.event': webhookEvent,
        attempt,
        outcome,
        'http.response.status_code': statusCode ?? undefined,
      },
      isFailure: outcome !== 'delivered' && outcome !== 'claim_lost',
      durationMs,
    });
    this.log.info({ event: 'webhook_attempt', ...ids, webhookEvent, attempt, outcome, statusCode, durationMs });
  }
}
