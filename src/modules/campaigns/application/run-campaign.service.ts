import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { JobQueue } from '../../../shared/ports/job-queue.js';
import type { CampaignRun } from '../domain/campaign-run.js';
import { FeedWindow } from '../domain/feed-window.js';
import { FeedCampaign } from './feed-campaign.service.js';
import { CampaignRuns, ClaimLost } from './ports/campaign-runs.js';
import { WriteAudience } from './write-audience.service.js';

/** A slow campaign may run for days: after this time it lets others have its slot. */
const SLICE_MS = 60_000;

/** Runs a campaign: writes its audience, then feeds the recipients until the campaign ends or is stopped. */
@Injectable()
export class RunCampaign {
  constructor(
    private readonly runs: CampaignRuns,
    private readonly writeAudience: WriteAudience,
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
      while (!run.hasAudience && !stopping.aborted) if (!(await this.writeAudience.step(run))) return;
      const hasEnded = await this.feedSlice(run, stopping);
      await this.runs.release(run);
      if (!hasEnded && !stopping.aborted)
        await this.queue.enqueue([{ name: 'run-campaign', payload: { accountId, campaignId } }]);
    } catch (error) {
      if (!(error instanceof ClaimLost)) throw error;
    }
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
