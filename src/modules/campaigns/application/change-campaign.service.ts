import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { AccountLock } from '../../accounts/index.js';
import { type CampaignContent, CampaignMessages } from '../../sending/index.js';
import { type Campaign, MAX_RUNNING } from '../domain/campaign.js';
import { CampaignRepository } from './ports/campaign.repository.js';
import { ReadCampaigns } from './read-campaigns.service.js';

/** What to store with a changed campaign; null if nothing has changed. */
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
    private readonly accountLock: AccountLock,
    private readonly campaigns: CampaignRepository,
    private readonly reader: ReadCampaigns,
    private readonly messages: CampaignMessages,
    private readonly queue: JobQueue,
  ) {}

  /** Calls `change` with the current campaign and stores the result; again if somebody else has changed it since. */
  async change(
    accountId: string,
    id: string,
    change: (campaign: Campaign) => CampaignChange | Promise<CampaignChange>,
  ): Promise<void> {
    for (;;) {
      const campaign = await this.reader.find(accountId, id);
      const changed = await change(campaign);
      if (changed === null) return;
      if (!(await this.transactions.runInLane(accountId, () => this.store(campaign, changed)))) continue;
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

  /** Of several concurrent calls, each counts the campaigns of those before it. */
  private async requireRoom({ accountId, id }: Campaign): Promise<void> {
    await this.accountLock.lock(accountId);
    if ((await this.campaigns.countOthersRunning(accountId, id)) >= MAX_RUNNING)
      throw DomainError.conflict(`${MAX_RUNNING} campaigns are running: wait for one of them`, 'too_many_running');
  }

  private async freeze({ accountId, id, name }: Campaign, content?: CampaignContent): Promise<void> {
    const frozen = content ?? (await this.campaigns.findContent(accountId, id));
    if (!frozen) throw new Error(`Campaign ${id} has no content`);
    await this.messages.freeze({ accountId, id, name }, frozen);
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
