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
