import type { Account, AccountProfile } from '../../domain/account.js';

export abstract class AccountRepository {
  abstract find(accountId: string): Promise<Account | null>;

  /** The profile that recipients see; a test account has that of its account. Null if there is no such account. */
  abstract findProfile(accountId: string): Promise<AccountProfile | null>;

  /**
   * Locks the account until the current transaction ends: other callers wait and then read its changes. Also makes a
   * limit check and the insert after it atomic. Rows that reference the account can be inserted meanwhile.
   */
  abstract findAndLock(accountId: string): Promise<Account | null>;

  /** The ids of accounts with SMS enabled. */
  abstract listSmsAcrossAccounts(): Promise<string[]>;

  abstract add(account: Account): Promise<void>;

  /** Does nothing if an account with this id exists. One of several concurrent calls adds it. */
  abstract addIfAbsent(account: Account): Promise<void>;

  /** Returns false if the installation has an account. No other can be added until the current transaction ends. */
  abstract addIfFirstAcrossAccounts(account: Account): Promise<boolean>;

  /** The number of accounts in the installation, counted up to a limit. */
  abstract countAcrossAccounts(upTo: number): Promise<number>;

  abstract save(account: Account): Promise<void>;
}
