/**
 * The kept counts and the search index, into which what was written lately is worked in behind the writers. Readers find the same
 * before and after, only faster.
 */
export abstract class MessageDigest {
  /** Adds the changes of counts up, all those that stand when it is called. */
  abstract addUpCountsAcrossAccounts(): Promise<void>;

  /** Indexes the texts of new messages, for a second or two at most; returns when none or that time is left. */
  abstract indexTextsAcrossAccounts(): Promise<void>;

  /** Forgets the counts of days before the oldest month that is still there. */
  abstract forgetDroppedMonthsAcrossAccounts(): Promise<void>;
}
