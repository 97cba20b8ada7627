import { Injectable, Logger } from '@nestjs/common';

import { groupBy } from '../../../shared/collections.js';
import { forEachConcurrently } from '../../../concurrency/for-each-concurrently.js';
import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { LOCK_WAIT_MS } from '../../../concurrency/retry.js';
import { Retention } from '../../messages/index.js';
import type { Campaign } from '../domain/campaign.js';
import { ChangeCampaign } from './change-campaign.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';
import { type CampaignJob, CampaignRuns } from './ports/campaign-runs.js';

const PURGED_AT_ONCE = 5_000;
/** Limits the accounts whose due campaigns start concurrently: each takes a connection. */
const STARTING_ACCOUNTS = 4;

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
    const due = await this.runs.listDueAcrossAccounts(this.clock.now());
    const byAccount = groupBy(due, ({ accountId }) => accountId);
    await forEachConcurrently(byAccount.values(), STARTING_ACCOUNTS, async (campaigns) => {
      for (const campaign of campaigns) await this.startDue(campaign);
    });
  }

  private async wakeWorkers(): Promise<void> {
    const idle = await this.runs.listIdleAcrossAccounts();
    if (idle.length > 0) await this.queue.enqueue(idle.map((payload) => ({ name: 'run-campaign', payload }) as const));
  }

  /** Recipients of a campaign are kept as long as its messages. */
  async purge(): Promise<void> {
    const endedBefore = this.retention.messagesExpireBefore(this.clock.now());
    while (await this.feed.purgeAcrossAccounts(endedBefore, PURGED_AT_ONCE));
  }

  /**
   * A campaign that cannot start, for instance because there is no room or its row is locked, does not keep the others
   * from it: the next sweep tries again.
   */
  private async startDue({ accountId, campaignId }: CampaignJob): Promise<void> {
    try {
      const start = (campaign: Campaign) => (campaign.startDue(this.clock.now()) ? {} : null);
      await this.changeCampaign.change(accountId, campaignId, start, { maxLockWaitMs: LOCK_WAIT_MS });
    } catch (error) {
      this.logger.warn(`Campaign ${campaignId} of account ${accountId} has not started: ${(error as Error).message}`);
    }
  }
}
