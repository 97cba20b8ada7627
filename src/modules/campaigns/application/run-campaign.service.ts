import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { ContactAudience } from '../../contacts/index.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import { FeedWindow } from '../domain/feed-window.js';
import { FeedCampaign } from './feed-campaign.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';
import { CampaignRuns, ClaimLost } from './ports/campaign-runs.js';

/** Contacts per transaction while the audience is written. */
const STEP = 5_000;

/** Runs a campaign: writes its audience, then feeds the recipients until the campaign ends or is stopped. */
@Injectable()
export class RunCampaign {
  constructor(
    private readonly runs: CampaignRuns,
    private readonly contacts: ContactAudience,
    private readonly feed: CampaignFeed,
    private readonly feedCampaign: FeedCampaign,
    private readonly clock: Clock,
  ) {}

  /** Returns at once if another worker runs the campaign. */
  async run(accountId: string, campaignId: string, stopping: AbortSignal): Promise<void> {
    await this.clock.catchUp();
    const run = await this.runs.claim(accountId, campaignId, this.clock.now());
    if (!run) return;
    try {
      while (!run.hasAudience && !stopping.aborted) await this.writeStep(run);
      await this.feedAll(run, stopping);
      await this.runs.release(run);
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
    }
  }

  private async writeStep(run: CampaignRun): Promise<void> {
    const { accountId, audience, audienceAfter } = run;
    const { members, lastId } = await this.contacts.listAfter(accountId, audience, audienceAfter, STEP);
    await this.feed.addRecipients(run, members, lastId, this.clock.now());
    if (lastId === null) run.hasAudience = true;
    else run.audienceAfter = lastId;
  }

  private async feedAll(run: CampaignRun, stopping: AbortSignal): Promise<void> {
    const window = new FeedWindow();
    while (!stopping.aborted) {
      const waitMs = await this.feedCampaign.step(run, window);
      if (waitMs === null) return;
      if (waitMs > 0) await pause(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
