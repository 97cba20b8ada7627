import type { Page, PageRequest } from '../../../../shared/page.js';
import type { User } from '../../domain/user.js';

/** Users of one account: those of other accounts are invisible. */
export abstract class UserRepository {
  abstract find(accountId: string, id: string): Promise<User | null>;

  /** Like `find`, but cheap enough for each request of a session. Must not be called in a transaction. */
  abstract findForSession(accountId: string, id: string): Promise<User | null>;

  /**
   * Finds the users with this normalised email, which is unique within an account, oldest first. With `accountId`, only
   * that account is searched.
   */
  abstract findByEmailAcrossAccounts(normalisedEmail: string, limit: number, accountId?: string): Promise<User[]>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<User>>;

  abstract countAdmins(accountId: string): Promise<number>;

  /** Throws a conflict if a user of the account has the email. */
  abstract add(user: User): Promise<void>;

  /** Throws a conflict if another user of the account has the email. */
  abstract save(user: User): Promise<void>;

  abstract remove(accountId: string, id: string): Promise<void>;
}
