/**
 * Locks per account that keep contacts consistent with its lists and suppressions, where a writer cannot see what
 * another has not committed yet. They are held until the current transaction ends. A transaction that takes several
 * does so in the order of the methods, and locks the rows of the contacts that it changes before the locks on
 * suppressions.
 */
export abstract class ContactLocks {
  /**
   * Shared by writers of contacts: no list is removed meanwhile. With `maxWaitMs`, this and all later statements of the
   * transaction fail if they wait for a lock for longer (`isLockTimeout`).
   */
  abstract lockListsShared(accountId: string, maxWaitMs?: number): Promise<void>;

  /** Exclusive: no contacts are written meanwhile. */
  abstract lockLists(accountId: string): Promise<void>;

  /** Exclusive: no new contact is committed, and no other call suppresses or lifts an address, meanwhile. */
  abstract lockSuppressions(accountIds: readonly string[]): Promise<void>;

  /** Shared by those who have added contacts: suppressions do not change. Implied by `lockSuppressions`. */
  abstract lockSuppressionsShared(accountId: string): Promise<void>;
}
