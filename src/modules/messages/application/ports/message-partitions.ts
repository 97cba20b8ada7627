/** The monthly partitions of the message tables. */
export abstract class MessagePartitions {
  /** Makes those of this many months, beginning with the month of `from`; existing ones stay. */
  abstract ensure(from: Date, months: number): Promise<void>;

  /** Removes contents of messages accepted before the time: whole partitions where possible, rows in batches else. */
  abstract purgeContentsBefore(time: Date): Promise<void>;

  /** Drops the months of log, contents, search texts and events that ended before the time. */
  abstract dropMonthsBefore(time: Date): Promise<void>;
}
