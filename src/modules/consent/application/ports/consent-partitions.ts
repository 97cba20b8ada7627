/** The monthly partitions of the consent records. */
export abstract class ConsentPartitions {
  /** Creates the missing partitions of this many months, starting with the month of `from`. */
  abstract ensure(from: Date, months: number): Promise<void>;

  /**
   * Creates the partition of a record that is about to be appended, if it is missing: nobody's unsubscription fails
   * because nothing has created it ahead. Joins the current transaction; asks the database once.
   */
  abstract ensureFor(time: Date): Promise<void>;
}
