import { Injectable, Logger } from '@nestjs/common';

import { MAX_RUNNING_CAMPAIGNS } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { type TransactionOptions, TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { AccountRepository } from '../../accounts/index.js';
import { type CampaignContent, CampaignContents } from '../../messages/index.js';
import type { Campaign } from '../domain/campaign.js';
import { CampaignRepository } from './ports/campaign.repository.js';
import { ReadCampaigns } from './read-campaigns.service.js';

/** The content, and the work, to store with a changed campaign; null if nothing has changed. */
export type CampaignChange = {
  content?: CampaignContent;
  /** Runs in the transaction that stores the campaign. */
  within?: () => Promise<unknown>;
} | null;

/** Changes campaigns by conditional writes: of concurrent changes one is stored, and the others see its result. */
@Injectable()
export class ChangeCampaign {
  private readonly logger = new Logger(ChangeCampaign.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly accounts: AccountRepository,
    private readonly campaigns: CampaignRepository,
    private readonly reader: ReadCampaigns,
    private readonly contents: CampaignContents,
    private readonly queue: JobQueue,
  ) {}

  /**
   * Calls `change` with the current campaign and stores the result; repeats that if another call has changed the
   * campaign since. The options are those of the transaction that stores it.
   */
  async change(
    accountId: string,
    id: string,
    change: (campaign: Campaign) => CampaignChange | Promise<CampaignChange>,
    options?: TransactionOptions,
  ): Promise<void> {
    for (;;) {
      const campaign = await this.reader.get(accountId, id);
      const changed = await change(campaign);
      if (changed === null) return;
      const store = () => this.store(campaign, changed);
      if (!(await this.transactions.runInLane(accountId, store, options))) continue;
      if (campaign.status === 'running') await this.wakeWorker(campaign);
      return;
    }
  }

  private async store(campaign: Campaign, { content, within }: NonNullable<CampaignChange>): Promise<boolean> {
    if (campaign.status === 'running') await this.requireRoom(campaign);
    if (!(await this.campaigns.save(campaign, content))) return false;
    if (campaign.status === 'running') await this.freeze(campaign, content);
    await within?.();
    return true;
  }

  /** The lock makes concurrent calls count each other's campaigns. */
  private async requireRoom({ accountId, id }: Campaign): Promise<void> {
    await this.accounts.findAndLock(accountId);
    if ((await this.campaigns.countOthersRunning(accountId, id)) >= MAX_RUNNING_CAMPAIGNS)
      throw DomainError.conflict(`${MAX_RUNNING_CAMPAIGNS} campaigns are running: wait for one of them`);
  }

  private async freeze({ accountId, id, name }: Campaign, content?: CampaignContent): Promise<void> {
    const frozen = content ?? (await this.campaigns.findContent(accountId, id));
    if (!frozen) throw new Error(`Campaign ${id} has no content`);
    await this.contents.freeze(accountId, { id, name }, frozen);
  }

  /** A lost job is replaced by the sweep. */
  private async wakeWorker({ accountId, id: campaignId }: Campaign): Promise<void> {
    try {
      await this.queue.enqueue([{ name: 'run-campaign', payload: { accountId, campaignId } }]);
    } catch (error) {
      this.logger.warn(`Campaign ${campaignId} waits for the sweep: ${(error as Error).message}`);
    }
  }
}
