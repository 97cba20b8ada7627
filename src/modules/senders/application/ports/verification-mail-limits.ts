/** Limits verification mails of senders. They count even if the sender has been deleted. */
export abstract class VerificationMailLimits {
  /**
   * Counts one more mail of the account to the address, as part of the running transaction. Throws `limit_exceeded`
   * where it would be one too many; the transaction must then not commit. Exact under concurrency, over all processes.
   */
  abstract reserve(accountId: string, normalisedEmail: string, now: Date): Promise<void>;

  /** Lets the next mail follow at once after a failed one, which stays counted because it may have been sent. */
  abstract allowNext(accountId: string, normalisedEmail: string): Promise<void>;

  /** Forgets the counts of days before yesterday. */
  abstract forgetOldDaysAcrossAccounts(now: Date): Promise<void>;
}
