import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { ChangeCampaign } from './change-campaign.service.js';
import { CheckCampaign } from './check-campaign.service.js';

/** Starts and stops campaigns. A repeated call changes nothing; an impossible one throws `conflict`. */
@Injectable()
export class ControlCampaigns {
  constructor(
    private readonly changeCampaign: ChangeCampaign,
    private readonly checkCampaign: CheckCampaign,
    private readonly clock: Clock,
  ) {}

  /** Starts or schedules a draft. Throws `invalid` if it cannot be sent. */
  async start(accountId: string, id: string): Promise<void> {
    await this.changeCampaign.change(accountId, id, async (campaign) =>
      campaign.start(this.clock.now()) ? this.checkCampaign.sendable(campaign) : null,
    );
  }

  async pause(accountId: string, id: string): Promise<void> {
    await this.changeCampaign.change(accountId, id, (campaign) => (campaign.pause('user') ? {} : null));
  }

  /**
   * If it was paused because lists were deleted, removes them from the audience. Throws `invalid` if the sender is not
   * verified or nobody is left.
   */
  async resume(accountId: string, id: string): Promise<void> {
    await this.changeCampaign.change(accountId, id, async (campaign) => {
      const { pauseReason } = campaign;
      if (!campaign.resume(this.clock.now())) return null;
      await this.checkCampaign.sender(campaign);
      if (pauseReason === 'list_deleted') campaign.audience = await this.checkCampaign.audienceLeft(campaign);
      return {};
    });
  }

  async cancel(accountId: string, id: string): Promise<void> {
    await this.changeCampaign.change(accountId, id, (campaign) => (campaign.cancel(this.clock.now()) ? {} : null));
  }
}
