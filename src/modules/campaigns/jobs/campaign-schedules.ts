import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { OncePerCluster } from '../../../platform/scheduling/once-per-cluster.js';
import { SweepCampaigns } from '../application/sweep-campaigns.service.js';

const SWEEP_SECONDS = 5;
const MINUTE_SECONDS = 60;

@Injectable()
export class CampaignSchedules {
  constructor(
    private readonly once: OncePerCluster,
    private readonly sweepCampaigns: SweepCampaigns,
  ) {}

  @Cron(`*/${SWEEP_SECONDS} * * * * *`, { waitForCompletion: true })
  async sweep(): Promise<void> {
    await this.once.run('sweep-campaigns', SWEEP_SECONDS, () => this.sweepCampaigns.sweep());
  }

  @Cron('37 * * * * *', { waitForCompletion: true })
  async purge(): Promise<void> {
    await this.once.run('purge-campaigns', MINUTE_SECONDS, () => this.sweepCampaigns.purge());
  }
}
