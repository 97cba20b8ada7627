import { Injectable } from '@nestjs/common';

import { Claims } from '../domain/claims.js';
import { AttemptDelivery, type AttemptReport } from './attempt-delivery.service.js';
import { EndpointLane } from './endpoint-lane.js';
import { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

/** Delivers what is due, with a lane per endpoint so that no endpoint waits for another. */
@Injectable()
export class DeliverWebhooks {
  private readonly lanes = new Map<string, EndpointLane>();
  private readonly claims = new Claims();

  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly attempts: AttemptDelivery,
  ) {}

  /**
   * Attempts what is due for the endpoint until nothing is; returns at once if a call for it is in progress. Once
   * `stopping` is aborted, no further attempt starts, and the call resolves when those in progress are recorded.
   */
  async drain(endpointId: string, stopping: AbortSignal, report: (report: AttemptReport) => void): Promise<void> {
    const lane = this.lanes.get(endpointId) ?? this.openLane(endpointId, stopping, report);
    await lane.drain().finally(() => {
      if (lane.isIdle && this.lanes.get(endpointId) === lane) this.lanes.delete(endpointId);
    });
  }

  /** To be called several times within the length of a lease. */
  renewLeases(): Promise<void> {
    return this.deliveries.renew([...this.claims]);
  }

  private openLane(endpointId: string, stopping: AbortSignal, report: (report: AttemptReport) => void): EndpointLane {
    const { deliveries, attempts, claims } = this;
    const lane = new EndpointLane({ endpointId, deliveries, attempts, claims, stopping, report });
    this.lanes.set(endpointId, lane);
    return lane;
  }
}
