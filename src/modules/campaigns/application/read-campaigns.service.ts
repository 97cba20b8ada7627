import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { type MessageTotals, toTotals } from '../../messages/index.js';
import { CampaignMessages } from '../../sending/index.js';
import type { Campaign, WaitReason } from '../domain/campaign.js';
import { type CampaignFilter, CampaignRepository } from './ports/campaign.repository.js';

export type CampaignStats = MessageTotals & { unsubscribed: number };

export interface CampaignWithStats {
  campaign: Campaign;
  stats: CampaignStats;
  waitingFor: WaitReason | null;
}

const NO_STATS: CampaignStats = { ...toTotals([]), unsubscribed: 0 };

@Injectable()
export class ReadCampaigns {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly messages: CampaignMessages,
  ) {}

  async list(accountId: string, filter: CampaignFilter, page: PageRequest): Promise<Page<CampaignWithStats>> {
    const found = await this.campaigns.list(accountId, filter, page);
    const started = found.items.filter(({ startedAt }) => startedAt !== null);
    const stats = await this.messages.totalsOf(
      accountId,
      started.map(({ id }) => id),
    );
    const isRefused = await this.isRefusedByProvider(accountId, found.items);
    return {
      ...found,
      items: found.items.map((campaign) => ({
        campaign,
        stats: stats.get(campaign.id) ?? NO_STATS,
        waitingFor: waitReasonOf(campaign, isRefused),
      })),
    };
  }

  async getWithStats(accountId: string, id: string): Promise<CampaignWithStats> {
    return this.withStats(await this.get(accountId, id));
  }

  /** Throws `not_found`. */
  async get(accountId: string, id: string): Promise<Campaign> {
    const campaign = isId(id) ? await this.campaigns.find(accountId, id) : null;
    if (!campaign) throw DomainError.notFound('Campaign');
    return campaign;
  }

  async withStats(campaign: Campaign): Promise<CampaignWithStats> {
    const { accountId, id, startedAt } = campaign;
    const stats = startedAt === null ? NO_STATS : await this.messages.totals(accountId, id);
    const isRefused = await this.isRefusedByProvider(accountId, [campaign]);
    return { campaign, stats, waitingFor: waitReasonOf(campaign, isRefused) };
  }

  /** Looked up only if one of the campaigns may wait for it. */
  private async isRefusedByProvider(accountId: string, campaigns: readonly Campaign[]): Promise<boolean> {
    return campaigns.some(isFeeding) && (await this.messages.arePaused(accountId));
  }
}

const isFeeding = ({ status, waitingFor }: Campaign): boolean => status === 'running' && waitingFor === null;

const waitReasonOf = (campaign: Campaign, isRefused: boolean): WaitReason | null =>
  isRefused && isFeeding(campaign) ? 'provider' : campaign.waitingFor;
