import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { SweepWebhooks } from '../application/sweep-webhooks.service.js';

const SWEEP_SECONDS = 5;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

@Injectable()
export class WebhookSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly sweepWebhooks: SweepWebhooks,
  ) {}

  @Cron(`*/${SWEEP_SECONDS} * * * * *`, { waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.once.run('sweep-webhooks', SWEEP_SECONDS, () => this.sweepWebhooks.sweep());
  }

  @Cron('30 * * * * *', { waitForCompletion: true })
  async removeDeleted(): Promise<void> {
    await this.once.run('remove-deleted-webhooks', MINUTE_SECONDS, () => this.sweepWebhooks.removeDeleted());
  }

  @Cron('0 17 * * * *', { waitForCompletion: true })
  async purgeExpired(): Promise<void> {
    await this.once.run('purge-webhook-deliveries', HOUR_SECONDS, () => this.sweepWebhooks.purgeExpired());
  }
}
