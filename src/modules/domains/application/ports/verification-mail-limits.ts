/** How many mails with a link to confirm a sender may be sent; they count whether or not the sender still exists. */
export abstract class VerificationMailLimits {
  /**
   * Counts one more mail of the account to the address, as part of the running transaction. Throws `limit_exceeded` where it
   * would be one too many; the transaction must then not commit. Exact under concurrency, over all processes.
   */
  abstract reserve(accountId: string, normalisedEmail: string, now: Date): Promise<void>;

  /** After a mail that was not sent: the next may follow at once. It stays counted, as it may have been sent. */
  abstract allowNext(accountId: string, normalisedEmail: string): Promise<void>;

  /** Forgets the counts of days before yesterday. */
  abstract forgetOldDaysAcrossAccounts(now: Date): Promise<void>;
}
