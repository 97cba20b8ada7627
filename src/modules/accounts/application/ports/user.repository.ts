import type { Page, PageRequest } from '../../../../shared/page.js';
import type { User } from '../../domain/user.js';

/** Users of one account. A user of another account is never seen, changed or counted. */
export abstract class UserRepository {
  abstract find(accountId: string, id: string): Promise<User | null>;

  /**
   * By the normalised address, which is unique within an account: the oldest, of this account alone where one is named.
   */
  abstract findByEmailAcrossAccounts(normalisedEmail: string, limit: number, accountId?: string): Promise<User[]>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<User>>;

  abstract countAdmins(accountId: string): Promise<number>;

  /** Throws a conflict if a user of the account has the address. */
  abstract add(user: User): Promise<void>;

  /** Throws a conflict if another user of the account has the address. */
  abstract save(user: User): Promise<void>;

  abstract remove(accountId: string, id: string): Promise<void>;
}
