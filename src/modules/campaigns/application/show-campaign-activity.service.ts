import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { type ActivityInterval, type CampaignEventBucket, ShowActivity, spanSince } from '../../messages/index.js';
import { ReadCampaigns } from './read-campaigns.service.js';

export interface CampaignActivity {
  interval: ActivityInterval;
  /** Oldest first, without gaps; none before the start. */
  buckets: CampaignEventBucket[];
}

/** The submissions, deliveries, opens and clicks of a campaign over time. */
@Injectable()
export class ShowCampaignActivity {
  constructor(
    private readonly campaigns: ReadCampaigns,
    private readonly activity: ShowActivity,
    private readonly clock: Clock,
  ) {}

  async show(accountId: string, id: string, interval?: ActivityInterval): Promise<CampaignActivity> {
    const { startedAt, endedAt } = await this.campaigns.get(accountId, id);
    if (startedAt === null) return { interval: interval ?? 'hour', buckets: [] };
    const span = spanSince({ startedAt, endedAt }, this.clock.now(), interval);
    return { interval: span.interval, buckets: await this.activity.forCampaign(accountId, id, span) };
  }
}
