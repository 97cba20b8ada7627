import type { Sender } from '../../domain/sender.js';

/** What the periodic check of senders finds and changes. */
export abstract class DueSenders {
  /** Makes senders pending whose link does not prove them for the current provider of their account. */
  abstract unverifyOutdatedAcrossAccounts(): Promise<void>;

  /**
   * Claims pending senders of SES accounts that are due, longest overdue first. Each is due again every minute in the
   * first hour after its latest link was mailed, then every hour until the link expires after 24 hours.
   */
  abstract claimAcrossAccounts(now: Date, limit: number): Promise<Sender[]>;
}
