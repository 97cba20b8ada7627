/** Classifies the errors of statements. */
export abstract class DatabaseFaults {
  /**
   * The database refused the values of a row: the other rows of the statement are not to blame. If it is unavailable,
   * too, the row may be accepted later.
   */
  abstract isRowFault(error: unknown): boolean;

  /** The statement took longer than it may, possibly while waiting for a lock. */
  abstract isTimedOut(error: unknown): boolean;

  /** A lock could not be acquired in the time to which the transaction has limited its waits. */
  abstract isLockTimeout(error: unknown): boolean;

  /** No connection is available. */
  abstract isOutOfReach(error: unknown): boolean;

  /**
   * The call may succeed later: the database is out of reach, slow, stopping, starting or read-only, or moves
   * partitions.
   */
  abstract isUnavailable(error: unknown): boolean;
}
