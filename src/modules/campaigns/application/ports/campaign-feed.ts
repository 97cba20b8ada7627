import type { NewRecipient } from '../../domain/campaign-recipient.js';
import type { CampaignRun, FedPortion, WaitingRecipient } from '../../domain/campaign-run.js';

/** The recipients of a campaign that a worker has claimed. */
export abstract class CampaignFeed {
  /**
   * Stores the contacts of the audience, in ascending order. An audience without any is complete. Throws ClaimLost and
   * then stores nothing.
   */
  abstract saveAudience(run: CampaignRun, portions: readonly (readonly string[])[]): Promise<void>;

  /** The next portion of the stored contacts that are not recipients yet; null if no audience is stored. */
  abstract nextContacts(run: CampaignRun): Promise<string[] | null>;

  /**
   * Makes recipients of such a portion, each with a new message id. Returns whether there are more portions. Throws
   * ClaimLost and then stores nothing.
   */
  abstract addRecipients(run: CampaignRun, recipients: readonly NewRecipient[], now: Date): Promise<boolean>;

  /** The next recipients to be offered. */
  abstract listWaiting(run: CampaignRun, limit: number): Promise<WaitingRecipient[]>;

  /** Keeps the campaign from being stopped until the current transaction ends. Throws ClaimLost. */
  abstract lockClaim(run: CampaignRun): Promise<void>;

  /** Records the outcomes of the offered recipients. Throws ClaimLost and then stores nothing. */
  abstract advance(run: CampaignRun, portion: FedPortion): Promise<void>;

  /**
   * Removes at most `limit` recipients of campaigns that were deleted or ended before `endedBefore`, and then the
   * deleted campaigns. Returns whether there may be more.
   */
  abstract purgeAcrossAccounts(endedBefore: Date | null, limit: number): Promise<boolean>;
}
