import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { CampaignIntake } from '../../messages/index.js';
import { ChangeCampaign } from './change-campaign.service.js';
import { CheckCampaign } from './check-campaign.service.js';
import { CampaignRecipients } from './ports/campaign-recipients.js';
import { ReadCampaigns } from './read-campaigns.service.js';

const STEP = 1_000;

@Injectable()
export class RetryFailed {
  constructor(
    private readonly reader: ReadCampaigns,
    private readonly changeCampaign: ChangeCampaign,
    private readonly recipients: CampaignRecipients,
    private readonly messages: CampaignIntake,
    private readonly checkCampaign: CheckCampaign,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives recipients whose message has failed a new one, in steps. Those whose failed message was replaced by an
   * earlier call stay as they are, so a call that was interrupted can be repeated.
   */
  async retry(accountId: string, id: string): Promise<void> {
    const campaign = await this.reader.get(accountId, id);
    campaign.retry(this.clock.now());
    await this.checkCampaign.sender(campaign);
    // New messages get greater ids: those that fail during this call are left for the next one.
    const upToId = await this.recipients.lastMessageId(accountId, id);
    for (let afterId = ''; ;) {
      const failed: string[] = await this.messages.findFailed(accountId, id, { afterId, upToId }, STEP);
      if (failed.length > 0) await this.retryStep(accountId, id, failed);
      if (failed.length < STEP) return;
      afterId = failed.at(-1) ?? upToId;
    }
  }

  private async retryStep(accountId: string, id: string, failed: readonly string[]): Promise<void> {
    const current = await this.recipients.findCurrent(accountId, id, failed);
    if (current.length === 0) return;
    await this.changeCampaign.change(accountId, id, (campaign) => {
      campaign.retry(this.clock.now());
      const within = async () => {
        await this.checkCampaign.keepTopic(campaign);
        await this.recipients.renew(accountId, id, current, this.clock.now());
      };
      return { within };
    });
  }
}
