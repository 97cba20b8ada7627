/** Runs work in one database transaction; work that is already in one joins it. */
export abstract class TransactionRunner {
  /**
   * Commits when `work` resolves, rolls back when it rejects. A serialisation failure or a deadlock (40001, 40P01)
   * repeats the whole work, so it must not have effects outside the database.
   */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /**
   * The same for work that may have to wait for other work of its account: a few of one account at a time, in order, so
   * that those that wait leave the connections to the other accounts.
   */
  abstract runInLane<T>(accountId: string, work: () => Promise<T>): Promise<T>;

  abstract get isRunning(): boolean;
}
