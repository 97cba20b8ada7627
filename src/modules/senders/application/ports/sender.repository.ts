import type { Page, PageRequest } from '../../../../shared/page.js';
import type { ProviderKey, VerificationProvider } from '../../../../shared/provider-key.js';
import type { Sender } from '../../domain/sender.js';

/** The token of a new link, and the provider that sends it. */
export interface TokenReplacement {
  hash: Buffer;
  expiresAt: Date;
  providerKey: ProviderKey;
  verificationProvider: VerificationProvider;
  nextCheckAt: Date | null;
}

/** Senders of one account: those of other accounts are invisible. */
export abstract class SenderRepository {
  /** Adds the sender unless the account already has its normalised address. One of several concurrent calls adds it. */
  abstract addIfAbsent(sender: Sender): Promise<'added' | 'exists'>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Sender>>;

  abstract find(accountId: string, id: string): Promise<Sender | null>;

  /** Returns the deleted sender, or null. One of several concurrent calls gets it. The change is announced. */
  abstract remove(accountId: string, id: string): Promise<Sender | null>;

  /**
   * Replaces the token and makes the sender pending, unless it is verified for the account's current provider. Returns
   * the changed sender, or null if nothing was replaced.
   */
  abstract replaceToken(accountId: string, id: string, replacement: TokenReplacement): Promise<Sender | null>;

  /**
   * Marks a sender that is pending at this SES account as verified and removes its token. Does nothing if its latest
   * link was sent by another provider meanwhile. Returns the sender, or null if it was deleted.
   */
  abstract verify(accountId: string, id: string, providerKey: ProviderKey, now: Date): Promise<Sender | null>;
}

/** The senders that the periodic check finds and changes. */
export abstract class DueSenders {
  /** Makes senders pending whose link does not prove them for the current provider of their account. */
  abstract unverifyOutdatedAcrossAccounts(): Promise<void>;

  /**
   * Claims pending senders of SES accounts that are due, longest overdue first. Each is due again every minute in the
   * first hour after its latest link was mailed, then every hour until the link expires after 24 hours.
   */
  abstract claimAcrossAccounts(now: Date, limit: number): Promise<Sender[]>;
}
