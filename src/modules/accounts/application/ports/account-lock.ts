/** Serialises work that must not run concurrently for one account, such as checking a limit and then adding a row. */
export abstract class AccountLock {
  /**
   * Waits for other holders. Held until the current transaction ends; the account can still be referenced meanwhile.
   */
  abstract lock(accountId: string): Promise<void>;
}
