import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import { ContactAudience } from '../../contacts/index.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import { FeedWindow } from '../domain/feed-window.js';
import { FeedCampaign } from './feed-campaign.service.js';
import { CampaignFeed } from './ports/campaign-feed.js';
import { CampaignRuns, ClaimLost } from './ports/campaign-runs.js';

/** Contacts per transaction while the audience is written. */
const STEP = 5_000;
/** A slow campaign may run for days: after this time it lets others have its slot. */
const SLICE_MS = 60_000;

/** Runs a campaign: writes its audience, then feeds the recipients until the campaign ends or is stopped. */
@Injectable()
export class RunCampaign {
  constructor(
    private readonly runs: CampaignRuns,
    private readonly contacts: ContactAudience,
    private readonly feed: CampaignFeed,
    private readonly feedCampaign: FeedCampaign,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Returns at once if another worker runs the campaign. */
  async run(accountId: string, campaignId: string, stopping: AbortSignal): Promise<void> {
    await this.clock.catchUp();
    const run = await this.runs.claim(accountId, campaignId, this.clock.now());
    if (!run) return;
    try {
      while (!run.hasAudience && !stopping.aborted) await this.writeStep(run);
      const hasEnded = await this.feedSlice(run, stopping);
      await this.runs.release(run);
      if (!hasEnded && !stopping.aborted)
        await this.queue.enqueue([{ name: 'run-campaign', payload: { accountId, campaignId } }]);
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

  /** Returns whether the campaign has ended. */
  private async feedSlice(run: CampaignRun, stopping: AbortSignal): Promise<boolean> {
    const window = new FeedWindow();
    const endsAt = performance.now() + SLICE_MS;
    while (!stopping.aborted && performance.now() < endsAt) {
      const waitMs = await this.feedCampaign.step(run, window);
      if (waitMs === null) return true;
      if (waitMs > 0) await pause(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    }
    return false;
  }
}
