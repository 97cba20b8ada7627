import { Injectable } from '@nestjs/common';

import { SenderDirectory } from '../../senders/index.js';
import type { CampaignContent } from '../../sending/index.js';
import type { Audience, Campaign } from '../domain/campaign.js';
import { CheckContent } from './check-content.service.js';
import { CountAudience } from './count-audience.service.js';

/** The checks before a campaign is stored, and those before it starts. */
@Injectable()
export class CheckCampaign {
  constructor(
    private readonly senders: SenderDirectory,
    private readonly content: CheckContent,
    private readonly audience: CountAudience,
  ) {}

  /** Throws `invalid` for an unknown list, tag or template and for content that cannot be rendered. */
  async draft(campaign: Campaign, hasNewAudience: boolean): Promise<void> {
    if (hasNewAudience) await this.audience.requireKnown(campaign.accountId, campaign.audience);
    await this.content.resolve(campaign);
  }

  /** Returns the content to be sent. Throws `invalid`, naming what is at fault. */
  async sendable(campaign: Campaign): Promise<CampaignContent> {
    const { accountId, audience } = campaign;
    await this.sender(campaign);
    const content = await this.content.requireSendable(campaign);
    await this.audience.requireKnown(accountId, audience);
    await this.audience.requireSendable(accountId, audience);
    return content;
  }

  /** The audience without deleted lists. Throws `invalid` if nobody is left, `conflict` if an excluded list is gone. */
  async audienceLeft({ accountId, audience }: Campaign): Promise<Audience> {
    const left = await this.audience.withoutDeletedLists(accountId, audience);
    await this.audience.requireSendable(accountId, left);
    return left;
  }

  /** Throws `invalid` unless the campaign may send from its address. */
  sender({ accountId, fromEmail }: Campaign): Promise<void> {
    return this.senders.requireVerified(accountId, fromEmail);
  }
}
