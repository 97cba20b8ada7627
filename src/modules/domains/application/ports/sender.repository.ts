import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Sender } from '../../domain/sender.js';
import type { SetUpFor } from '../../domain/set-up-for.js';

export interface TokenReplacement {
  hash: Buffer;
  expiresAt: Date;
  /** Who mails it. */
  setUpFor: SetUpFor;
  nextCheckAt: Date | null;
}

/** Senders of one account. A sender of another account is never seen or changed. */
export abstract class SenderRepository {
  /** Adds the sender unless its normalised address stands in the account already. Of concurrent calls one adds. */
  abstract addIfAbsent(sender: Sender): Promise<'added' | 'stood'>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Sender>>;

  abstract find(accountId: string, id: string): Promise<Sender | null>;

  /** The sender as it was; null if there is none. Of concurrent calls one gets it. */
  abstract remove(accountId: string, id: string): Promise<Sender | null>;

  /**
   * Gives a sender that is pending, or verified for something else, another token and has it pending, unless its present one expires after `unlessExpiresAfter`; the sender as it
   * then stands, null if nothing was replaced. Of concurrent calls one replaces.
   */
  abstract replaceToken(
    accountId: string,
    id: string,
    replacement: TokenReplacement,
    unlessExpiresAfter: Date,
  ): Promise<Sender | null>;

  /** Unless the sender has another token by now, or none. */
  abstract setTokenExpiry(accountId: string, id: string, tokenHash: Buffer, expiresAt: Date): Promise<void>;

  /** Marks a pending sender as verified and takes its token out of use; the sender as it then stands, null if it is gone. */
  abstract verify(accountId: string, id: string, now: Date): Promise<Sender | null>;

  /** Notes where the sender's identity was made; false if the sender is gone. */
  abstract noteMade(accountId: string, id: string, place: SetUpFor): Promise<boolean>;

  /** Whether SES has been asked for the normalised address on behalf of another account of the installation. */
  abstract isAskedBySesForOthers(accountId: string, normalisedEmail: string): Promise<boolean>;

  /** Makes pending those that were verified for something else than what their account sends through now. */
  abstract unverifyMovedAcrossAccounts(): Promise<void>;

  /**
   * Pending senders of SES accounts that are due, longest first. Each is due again a minute later for an hour after its
   * last mail, then hourly until the link in it no longer works, after 24.
   */
  abstract claimDueAcrossAccounts(now: Date, limit: number): Promise<Sender[]>;
}
