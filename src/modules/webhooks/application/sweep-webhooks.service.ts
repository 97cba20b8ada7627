import { Injectable } from '@nestjs/common';

import { DELIVERY_RETENTION_DAYS } from '../../../config/limits.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DAY_MS } from '../../../shared/utc.js';
import { WebhookDeliveryRepository, WebhookJobs, WebhookRetention } from './ports/webhook-delivery.repository.js';

const ROWS_PER_STEP = 1_000;

@Injectable()
export class SweepWebhooks {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly retention: WebhookRetention,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Enqueues due retries, deliveries of a killed worker, and those whose job was lost. */
  async sweep(): Promise<void> {
    await this.jobs.enqueue(await this.deliveries.listDueEndpointsAcrossAccounts());
  }

  /** Purges deliveries that ended two weeks ago. */
  async purgeExpired(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - DELIVERY_RETENTION_DAYS * DAY_MS);
    await stepByStep((afterId) => this.retention.purgeAcrossAccounts(before, afterId, ROWS_PER_STEP));
  }

  /** Removes deleted endpoints with their deliveries. */
  async removeDeleted(): Promise<void> {
    for (const id of await this.retention.listDeletedEndpointsAcrossAccounts())
      await stepByStep((afterId) => this.retention.removeEndpointAcrossAccounts(id, afterId, ROWS_PER_STEP));
  }
}

async function stepByStep(step: (afterId: string) => Promise<string | null>): Promise<void> {
  for (let afterId: string | null = ''; afterId !== null;) afterId = await step(afterId);
}
