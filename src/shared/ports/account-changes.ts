/** Called with the account, or with null if changes may have been missed and every cached value may be stale. */
export type AccountChangeListener = (accountId: string | null) => void;

/**
 * Notifies the caches of all processes of account changes. The time-to-live of the caches bounds the effect of a missed
 * one.
 */
export abstract class AccountChanges {
  /**
   * Must run within the transaction of the change. Listeners of this process are called after the commit, before the
   * caller continues, and those of other processes a moment later; after a rollback, none.
   */
  abstract announce(accountId: string): Promise<void>;

  abstract onChange(listener: AccountChangeListener): void;
}
