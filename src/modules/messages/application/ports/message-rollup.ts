/**
 * Message counts and the search index. Changes are first written to a backlog, so that writers do not wait, and merged
 * from there. Readers include the backlog: they get the same results before and after, only faster.
 */
export abstract class MessageRollup {
  /** Merges all changes of counts that exist when it is called. */
  abstract rollUpCountsAcrossAccounts(): Promise<void>;

  /** Indexes the texts of new messages until none is left, or for a second or two. */
  abstract indexTextsAcrossAccounts(): Promise<void>;

  /** Deletes the counts of days before the oldest month that still exists. */
  abstract purgeDroppedMonthsAcrossAccounts(): Promise<void>;
}
