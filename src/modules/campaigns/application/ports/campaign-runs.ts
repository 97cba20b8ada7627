import type { JobPayloads } from '../../../../shared/jobs.js';
import type { CampaignRun } from '../../domain/campaign-run.js';
import type { PauseReason } from '../../domain/campaign.js';

/** Another worker has claimed the campaign, or it is no longer running. */
export class ClaimLost extends Error {
  constructor(campaignId: string) {
    super(`Another worker has the campaign ${campaignId}, or it has stopped`);
  }
}

export type CampaignJob = JobPayloads['run-campaign'];

/** Claims of running campaigns by workers. A claim is a lease that every recorded progress renews. */
export abstract class CampaignRuns {
  /** Null if the campaign is not running or a worker has it. */
  abstract claim(accountId: string, campaignId: string, now: Date): Promise<CampaignRun | null>;

  /** Throws ClaimLost. */
  abstract renew(run: CampaignRun): Promise<void>;

  /** Renews the claim for as long as a selection of the audience may take. Throws ClaimLost. */
  abstract renewForSelection(run: CampaignRun): Promise<void>;

  /** Ends the claim, so that any worker may continue. */
  abstract release(run: CampaignRun): Promise<void>;

  /** Completes the campaign and ends the claim, unless recipients are waiting. Returns whether it did. */
  abstract finish(run: CampaignRun, now: Date): Promise<boolean>;

  /** Pauses the campaign and ends the claim. Does nothing if the claim was lost. */
  abstract pause(run: CampaignRun, reason: PauseReason): Promise<void>;

  /** Running campaigns without a worker. */
  abstract listIdleAcrossAccounts(): Promise<CampaignJob[]>;

  /** Scheduled campaigns whose time has come. */
  abstract listDueAcrossAccounts(now: Date): Promise<CampaignJob[]>;
}
