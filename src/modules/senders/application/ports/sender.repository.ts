import type { Page, PageRequest } from '../../../../shared/page.js';
import type { LinkCarrier } from '../../../../shared/verification-provider.js';
import type { Sender } from '../../domain/sender.js';
import type { SetUpFor } from '../../../../shared/provider-key.js';

export interface TokenReplacement {
  hash: Buffer;
  expiresAt: Date;
  /** Who mails it. */
  setUpFor: SetUpFor;
  /** The provider that carries the mail. */
  carrier: LinkCarrier;
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
   * Gives a sender another token and has it pending, unless it is verified for what its account sends through now; the
   * sender as it then stands, null if nothing was replaced.
   */
  abstract replaceToken(accountId: string, id: string, replacement: TokenReplacement): Promise<Sender | null>;

  /**
   * Marks a sender that is pending in this SES as verified and takes its token out of use; the sender as it then
   * stands, null if it is gone. Nothing is marked where its latest mail was sent by something else meanwhile.
   */
  abstract verify(accountId: string, id: string, place: SetUpFor, now: Date): Promise<Sender | null>;

  /** Notes where the sender's identity was made; false if the sender is gone. */
  abstract noteMade(accountId: string, id: string, place: SetUpFor): Promise<boolean>;

  /** Whether SES has been asked for the normalised address on behalf of another account of the installation. */
  abstract isAskedBySesForOthers(accountId: string, normalisedEmail: string): Promise<boolean>;

  /**
   * Makes pending those whose link was not carried by what their account sends through now, nor by the operator's
   * relay.
   */
  abstract unverifyMovedAcrossAccounts(): Promise<void>;

  /**
   * Pending senders of SES accounts that are due, longest first. Each is due again a minute later for an hour after its
   * last mail, then hourly until the link in it no longer works, after 24.
   */
  abstract claimDueAcrossAccounts(now: Date, limit: number): Promise<Sender[]>;
}
