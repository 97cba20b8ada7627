import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { DAY_MS } from '../../../shared/utc.js';
import { WebhookJobs } from './ports/webhook-jobs.js';
import { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';
import { WebhookRetention } from './ports/webhook-retention.js';

const KEPT_DAYS = 14;
const STEP = 1_000;

@Injectable()
export class SweepWebhooks {
  constructor(
    private readonly ledger: WebhookDeliveryRepository,
    private readonly retention: WebhookRetention,
    private readonly alarm: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Rings for due retries, for what a killed worker left, and for what the queue lost. */
  async sweep(): Promise<void> {
    await this.alarm.ring(await this.ledger.dueEndpointsAcrossAccounts());
  }

  /** Lets go of deliveries that ended two weeks ago. */
  async letGo(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    await stepByStep((afterId) => this.retention.forgetAcrossAccounts(before, afterId, STEP));
  }

  /** Removes endpoints that were deleted, with their deliveries. */
  async clearDeleted(): Promise<void> {
    for (const id of await this.retention.deletedEndpointsAcrossAccounts())
      await stepByStep((afterId) => this.retention.clearAcrossAccounts(id, afterId, STEP));
  }
}

async function stepByStep(step: (afterId: string) => Promise<string | null>): Promise<void> {
  for (let afterId: string | null = ''; afterId !== null;) afterId = await step(afterId);
}
