import type { Sender } from '../../domain/sender.js';
import type { SmtpRelay } from '../../../../shared/smtp-relay.js';
import type { ProviderKey } from '../../../../shared/provider-key.js';

/** Pending senders by the SHA-256 of their mailed token, which is unique in the installation. */
export abstract class VerificationTokens {
  /** Null if the token is unknown, used, replaced or expired. */
  abstract findSenderAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null>;

  /**
   * Verifies the sender and invalidates the token. One of several concurrent calls gets the sender, the others null.
   */
  abstract redeemAcrossAccounts(tokenHash: Buffer, now: Date): Promise<Sender | null>;
}

/** Mails the link that verifies a sender. */
export abstract class VerificationMailer {
  /**
   * Takes at most 15 seconds. Throws a DomainError of the kind `provider` if there is no relay or it did not accept the
   * mail, which may have been sent all the same.
   */
  abstract mail(relay: SmtpRelay | null, sender: Sender, token: string): Promise<void>;
}

/** Limits the verification mails of senders. Mails stay counted after the sender is deleted. */
export abstract class VerificationMailLimits {
  /**
   * Counts one more mail from the account to the address, in the current transaction. Throws `limit_exceeded` if that
   * is too many; the transaction must then be rolled back. Exact under concurrency across all processes.
   */
  abstract reserve(accountId: string, normalisedEmail: string, now: Date): Promise<void>;

  /** Allows the next mail at once after a failed one, which stays counted because it may have been sent. */
  abstract allowNext(accountId: string, normalisedEmail: string): Promise<void>;

  /** Deletes the counts of days before yesterday. */
  abstract deleteOldDaysAcrossAccounts(now: Date): Promise<void>;
}

/** Records the senders that SES was asked to verify. */
export abstract class SesVerificationRequests {
  /** Records that an identity was created for the sender. Returns false if the sender was deleted. */
  abstract recordIdentity(accountId: string, senderId: string, providerKey: ProviderKey): Promise<boolean>;

  /** Whether another account of the installation has requested a link from SES for the address. */
  abstract isRequestedByOthers(accountId: string, normalisedEmail: string): Promise<boolean>;
}
