import type { Account } from '../../domain/account.js';

export abstract class AccountRepository {
  abstract find(accountId: string): Promise<Account | null>;

  /** Within the running transaction: who else locks the account waits until it ends, and then sees what it wrote. */
  abstract findAndLock(accountId: string): Promise<Account | null>;

  /** Ids of those with SMS enabled. */
  abstract listSmsAcrossAccounts(): Promise<string[]>;

  abstract add(account: Account): Promise<void>;

  /** Within the running transaction: false if the installation has an account. Nobody adds one until it ends. */
  abstract addIfFirstAcrossAccounts(account: Account): Promise<boolean>;

  /** The number of accounts in the installation, counted up to a limit. */
  abstract countAcrossAccounts(upTo: number): Promise<number>;

  abstract save(account: Account): Promise<void>;
}
