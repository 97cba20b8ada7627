/** An account, or null where changes may have been missed: then everything that was remembered may be stale. */
export type AccountChangeListener = (accountId: string | null) => void;

/** Reports changes of accounts to the caches of all processes. Their time-to-live bounds what a missed report costs. */
export abstract class AccountChanges {
  /**
   * Within the transaction of the change: listeners of this process are called when it has committed, before the caller goes
   * on, and those of other processes a moment later. Nobody is called if it is rolled back.
   */
  abstract announce(accountId: string): Promise<void>;

  abstract onChange(listener: AccountChangeListener): void;
}
