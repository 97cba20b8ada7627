import { Injectable } from '@nestjs/common';

import { SenderDirectory } from '../../senders/index.js';
import type { CampaignContent } from '../../messages/index.js';
import { TopicDirectory } from '../../topics/index.js';
import type { Audience, Campaign, CampaignPlan } from '../domain/campaign.js';
import { CheckContent } from './check-content.service.js';
import { CountAudience } from './count-audience.service.js';

/** The checks before a campaign is stored, and those before it starts. */
@Injectable()
export class CheckCampaign {
  constructor(
    private readonly senders: SenderDirectory,
    private readonly content: CheckContent,
    private readonly audience: CountAudience,
    private readonly topics: TopicDirectory,
  ) {}

  /**
   * Throws `invalid` for an unknown template, for a list or topic among the changes that is unknown, and for content
   * that cannot be rendered.
   */
  async draft(campaign: Campaign, { audience, topicId }: Partial<CampaignPlan>): Promise<void> {
    if (audience) await this.audience.requireKnown(campaign.accountId, audience);
    if (topicId != null) await this.topics.require(campaign.accountId, 'topicId', [topicId]);
    await this.content.resolve(campaign);
  }

  /** Returns the content to be sent, and the work to do when it is stored. Throws `invalid`, naming the fault. */
  async sendable(campaign: Campaign): Promise<{ content: CampaignContent; within: () => Promise<void> }> {
    const { accountId, audience, topicId } = campaign;
    await this.sender(campaign);
    const content = await this.content.requireSendable(campaign);
    if (topicId !== null) await this.topics.require(accountId, 'topicId', [topicId]);
    await this.audience.requireKnown(accountId, audience);
    await this.audience.requireSendable(accountId, campaign);
    return { content, within: () => this.keepTopic(campaign) };
  }

  /**
   * The audience without deleted lists. Throws `invalid` if nobody is left, `conflict` if an excluded list was deleted.
   */
  async audienceLeft({ accountId, audience, topicId }: Campaign): Promise<Audience> {
    const left = await this.audience.withoutDeletedLists(accountId, audience);
    await this.audience.requireSendable(accountId, { audience: left, topicId });
    return left;
  }

  /** Throws `invalid` if its topic was deleted. Nobody can delete it until the current transaction ends. */
  async keepTopic({ accountId, topicId }: Campaign): Promise<void> {
    if (topicId !== null) await this.topics.keep(accountId, 'topicId', topicId);
  }

  /** Throws `invalid` unless the campaign may send from its address. */
  sender({ accountId, fromEmail }: Campaign): Promise<void> {
    return this.senders.requireVerified(accountId, fromEmail);
  }
}
