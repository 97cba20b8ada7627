/** The monthly partitions of the message tables. */
export abstract class MessagePartitions {
  /** Creates the missing partitions of this many months, starting with the month of `from`. */
  abstract ensure(from: Date, months: number): Promise<void>;

  /** Removes contents of messages accepted before the time: whole partitions if possible, else rows in batches. */
  abstract purgeContentsBefore(time: Date): Promise<void>;

  /**
   * Drops the months of log, contents, search texts and events that ended before the time, and the contents of
   * campaigns that were frozen before it and have no messages.
   */
  abstract dropMonthsBefore(time: Date): Promise<void>;
}
