/** The monthly partitions of the message tables. */
export abstract class MessagePartitions {
  /** Creates the missing partitions of this many months, starting with the month of `from`. */
  abstract ensure(from: Date, months: number): Promise<void>;

  /**
   * Removes contents and attachments of messages accepted before the time: whole partitions if possible, else rows in
   * batches.
   */
  abstract purgeContentsBefore(time: Date): Promise<void>;

  /**
   * Removes contents and attachments of the test messages of all accounts that were accepted in this period, in
   * batches.
   */
  abstract purgeTestContentsAcrossAccounts(from: Date, to: Date): Promise<void>;

  /**
   * Drops the months of log, contents, attachments, search texts, tags and events that ended before the time, and the
   * contents of campaigns that were frozen before it and have no messages.
   */
  abstract dropMonthsBefore(time: Date): Promise<void>;
}

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
