import { Injectable } from '@nestjs/common';

import { MAX_CAMPAIGN_RECIPIENTS } from '../../../config/limits.js';
import { DomainError } from '../../../shared/domain-error.js';
import { RequiredConsent } from '../../consent/index.js';
import { type AudienceCount, type AudienceRules, ContactAudience, ListDirectory } from '../../contacts/index.js';
import { TopicDirectory } from '../../topics/index.js';
import type { Audience, CampaignPlan } from '../domain/campaign.js';
import { ReadCampaigns } from './read-campaigns.service.js';

/** Counts the audience of a campaign, and checks it. */
@Injectable()
export class CountAudience {
  constructor(
    private readonly campaigns: ReadCampaigns,
    private readonly contacts: ContactAudience,
    private readonly lists: ListDirectory,
    private readonly consents: RequiredConsent,
    private readonly topics: TopicDirectory,
  ) {}

  async count(accountId: string, campaignId: string): Promise<AudienceCount> {
    return this.countNow(accountId, await this.campaigns.get(accountId, campaignId));
  }

  /** Throws `invalid`, naming the field, for a list that does not exist. A tag need not: it matches nobody then. */
  async requireKnown(accountId: string, { listIds, excludeListIds }: Audience): Promise<void> {
    await this.lists.require(accountId, 'audience.listIds', listIds);
    await this.lists.require(accountId, 'audience.excludeListIds', excludeListIds);
  }

  /** Throws `conflict` if an excluded list was deleted: its contacts are no longer known. */
  async withoutDeletedLists(accountId: string, audience: Audience): Promise<Audience> {
    const { listIds, excludeListIds } = audience;
    const deleted = await this.lists.findUnknown(accountId, [...listIds, ...excludeListIds]);
    if (excludeListIds.some((id) => deleted.has(id)))
      throw DomainError.conflict('An excluded list was deleted: cancel the campaign and start a copy');
    return { ...audience, listIds: listIds.filter((id) => !deleted.has(id)) };
  }

  /** Throws `invalid` for an audience that no campaign can be sent to. */
  async requireSendable(accountId: string, plan: Pick<CampaignPlan, 'audience' | 'topicId'>): Promise<void> {
    const { active, suppressed, withoutConsent, outOfTopic } = await this.countNow(accountId, plan);
    if (active === 0) throw DomainError.invalid('audience has no recipients');
    if (active + suppressed + withoutConsent + outOfTopic > MAX_CAMPAIGN_RECIPIENTS)
      throw DomainError.invalid(`audience has more than ${MAX_CAMPAIGN_RECIPIENTS} recipients`);
  }

  /** The rules by which the campaign leaves out contacts of its audience. */
  async rulesOf(accountId: string, topicId: string | null): Promise<AudienceRules> {
    const requiresConsent = await this.consents.isRequired(accountId);
    return { requiresConsent, topic: topicId === null ? null : await this.topics.find(accountId, topicId) };
  }

  private async countNow(
    accountId: string,
    { audience, topicId }: Pick<CampaignPlan, 'audience' | 'topicId'>,
  ): Promise<AudienceCount> {
    return this.contacts.count(accountId, audience, await this.rulesOf(accountId, topicId));
  }
}
