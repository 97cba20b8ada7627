import { Injectable } from '@nestjs/common';

import { MAX_CAMPAIGN_NAME_LENGTH } from '../../../config/limits.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Campaign, type CampaignPlan } from '../domain/campaign.js';
import { ChangeCampaign } from './change-campaign.service.js';
import { CheckCampaign } from './check-campaign.service.js';
import { CampaignRepository } from './ports/campaign.repository.js';
import { ReadCampaigns } from './read-campaigns.service.js';

const COPY_PREFIX = 'Copy of ';

@Injectable()
export class ManageCampaigns {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly reader: ReadCampaigns,
    private readonly changeCampaign: ChangeCampaign,
    private readonly checkCampaign: CheckCampaign,
    private readonly clock: Clock,
  ) {}

  async create(accountId: string, plan: CampaignPlan): Promise<Campaign> {
    const now = this.clock.now();
    const campaign = Campaign.create(newId(now), accountId, plan, now);
    await this.checkCampaign.draft(campaign, plan);
    await this.campaigns.add(campaign);
    return campaign;
  }

  /** Absent fields are kept. */
  async change(accountId: string, id: string, changes: Partial<CampaignPlan>): Promise<void> {
    await this.changeCampaign.change(accountId, id, async (campaign) => {
      campaign.change(changes, this.clock.now());
      if (campaign.status === 'scheduled') return this.checkCampaign.sendable(campaign);
      await this.checkCampaign.draft(campaign, changes);
      return {};
    });
  }

  async copy(accountId: string, id: string): Promise<Campaign> {
    const original = await this.reader.get(accountId, id);
    const now = this.clock.now();
    const name = `${COPY_PREFIX}${original.name}`.slice(0, MAX_CAMPAIGN_NAME_LENGTH).toWellFormed();
    const copy = Campaign.create(newId(now), accountId, { ...original.plan, name, scheduledAt: null }, now);
    await this.campaigns.add(copy);
    return copy;
  }

  async remove(accountId: string, id: string): Promise<Campaign> {
    for (;;) {
      const campaign = await this.reader.get(accountId, id);
      campaign.requireDeletable();
      if (await this.campaigns.remove(campaign, this.clock.now())) return campaign;
    }
  }
}
