import { Processor } from '@nestjs/bullmq';
import { Interval } from '@nestjs/schedule';

import { JOBS_AT_A_TIME } from '../../../config/limits.js';
import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Tracing } from '../../../platform/tracing/tracing.js';
import { type JobHandlers, QueueProcessor, WORKER_OPTIONS } from '../../../platform/queue/queue-processor.js';
import { AttemptDelivery, type AttemptReport } from '../application/attempt-delivery.service.js';
import { EndpointLane } from '../application/endpoint-lane.js';
import { WebhookDeliveryRepository } from '../application/ports/webhook-delivery.repository.js';
import { Claims } from '../domain/claims.js';

const RENEW_EVERY_MS = 10_000;

/** Delivers what is due, with a lane per endpoint so that no endpoint waits for another. */
@Processor('webhook-delivery', { ...WORKER_OPTIONS, concurrency: JOBS_AT_A_TIME['webhook-delivery'] })
export class WebhookDeliveryProcessor extends QueueProcessor<'webhook-delivery'> {
  readonly handlers: JobHandlers<'webhook-delivery'> = {
    // The job only triggers the work: it ends at once, however long the deliveries take.
    'deliver-webhooks': ({ endpointIds }, stopping, detach) => {
      for (const endpointId of endpointIds) detach(this.drain(endpointId, stopping));
      return Promise.resolve();
    },
  };

  private readonly lanes = new Map<string, EndpointLane>();
  private readonly claims = new Claims();

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly attempts: AttemptDelivery,
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    super();
  }

  @Interval(RENEW_EVERY_MS)
  async renewLeases(): Promise<void> {
    await this.deliveries.renew([...this.claims]).catch((error: unknown) => {
      this.log.warn({ event: 'renew-webhook-leases', error: (error as Error).message });
    });
  }

  /**
   * Attempts what is due for the endpoint until nothing is; returns at once if a call for it is in progress. Once
   * `stopping` is aborted, no further attempt starts, and the call resolves when those in progress are recorded.
   */
  private async drain(endpointId: string, stopping: AbortSignal): Promise<void> {
    const lane = this.lanes.get(endpointId) ?? this.openLane(endpointId, stopping);
    await lane.drain().finally(() => {
      if (lane.isIdle && this.lanes.get(endpointId) === lane) this.lanes.delete(endpointId);
    });
  }

  private openLane(endpointId: string, stopping: AbortSignal): EndpointLane {
    const { deliveries, attempts, claims } = this;
    const report = (attempt: AttemptReport) => {
      this.logAttempt(attempt);
    };
    const lane = new EndpointLane({ endpointId, deliveries, attempts, claims, stopping, report });
    this.lanes.set(endpointId, lane);
    return lane;
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
