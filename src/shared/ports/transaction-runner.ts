export interface TransactionOptions {
  /**
   * A statement that waits longer for a lock fails (`isLockTimeout`). Has no effect on a transaction that is joined.
   */
  maxLockWaitMs?: number;
}

/** Runs work in a database transaction. Work that is already in one joins it. */
export abstract class TransactionRunner {
  /**
   * Commits when `work` resolves, rolls back when it rejects. After a serialisation failure or a deadlock (40001,
   * 40P01) all of `work` runs again, so it must have no effects outside the database.
   */
  abstract run<T>(work: () => Promise<T>, options?: TransactionOptions): Promise<T>;

  /**
   * Runs work that may wait for locks of its account. Each account has a lane of a few transactions at a time, so that
   * waiting work does not occupy the connections that other accounts need.
   */
  abstract runInLane<T>(accountId: string, work: () => Promise<T>, options?: TransactionOptions): Promise<T>;

  abstract get isRunning(): boolean;
}
