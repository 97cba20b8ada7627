import type { AudienceMember } from '../../../contacts/index.js';
import type { CampaignRun, FedPortion, WaitingRecipient } from '../../domain/campaign-run.js';

/** The recipients of a campaign that a worker has claimed. */
export abstract class CampaignFeed {
  /**
   * Adds members of the audience that are not recipients yet, each with a new message id; those that are not active as
   * skipped. `lastId` is the contact to continue after; null completes the audience. Throws ClaimLost and then stores
   * nothing.
   */
  abstract addRecipients(
    run: CampaignRun,
    members: readonly AudienceMember[],
    lastId: string | null,
    now: Date,
  ): Promise<void>;

  /** The next recipients to be offered. */
  abstract listWaiting(run: CampaignRun, limit: number): Promise<WaitingRecipient[]>;

  /** Records what became of the offered recipients. Throws ClaimLost and then stores nothing. */
  abstract advance(run: CampaignRun, portion: FedPortion, now: Date): Promise<void>;

  /**
   * Removes at most `limit` recipients of campaigns that were deleted or ended before `endedBefore`, and then the
   * deleted campaigns. Returns whether there may be more.
   */
  abstract purgeAcrossAccounts(endedBefore: Date | null, limit: number): Promise<boolean>;
}
