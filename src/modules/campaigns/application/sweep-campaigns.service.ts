import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { Retention } from '../../messages/index.js';
import { ChangeCampaign } from './change-campaign.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';
import { type CampaignJob, CampaignRuns } from './ports/campaign-runs.js';

const PURGED_AT_ONCE = 5_000;

/** Starts campaigns that are due, enqueues jobs for running ones without a worker, and purges old ones. */
@Injectable()
export class SweepCampaigns {
  private readonly logger = new Logger(SweepCampaigns.name);

  constructor(
    private readonly runs: CampaignRuns,
    private readonly feed: CampaignFeed,
    private readonly changeCampaign: ChangeCampaign,
    private readonly queue: JobQueue,
    private readonly retention: Retention,
    private readonly clock: Clock,
  ) {}

  async sweep(): Promise<void> {
    await this.wakeWorkers();
    for (const due of await this.runs.listDueAcrossAccounts(this.clock.now())) await this.startDue(due);
  }

  private async wakeWorkers(): Promise<void> {
    const idle = await this.runs.listIdleAcrossAccounts(this.clock.now());
    if (idle.length > 0) await this.queue.enqueue(idle.map((payload) => ({ name: 'run-campaign', payload }) as const));
  }

  /** Recipients of a campaign are kept as long as its messages. */
  async purge(): Promise<void> {
    const endedBefore = this.retention.messagesExpireBefore(this.clock.now());
    while (await this.feed.purgeAcrossAccounts(endedBefore, PURGED_AT_ONCE));
  }

  /** A campaign that cannot start, for instance because there is no room, does not keep the others from it. */
  private async startDue({ accountId, campaignId }: CampaignJob): Promise<void> {
    try {
      await this.changeCampaign.change(accountId, campaignId, (campaign) =>
        campaign.startDue(this.clock.now()) ? {} : null,
      );
    } catch (error) {
      this.logger.warn(`Campaign ${campaignId} of account ${accountId} has not started: ${(error as Error).message}`);
    }
  }
}
