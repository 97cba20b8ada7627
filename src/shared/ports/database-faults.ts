/** Classifies what a statement was rejected with. */
export abstract class DatabaseFaults {
  /** The database refused the values themselves: rows of others are not to blame. */
  abstract isRowFault(error: unknown): boolean;

  /** The statement took longer than it may, possibly while waiting for a lock. */
  abstract isTimedOut(error: unknown): boolean;

  /** No connection can be had. */
  abstract isOutOfReach(error: unknown): boolean;

  /** The call may succeed later: the database is out of reach, slow, stopping, starting, or cannot write now. */
  abstract isUnavailable(error: unknown): boolean;
}
