import type { Page, PageRequest } from '../../../../shared/page.js';
import type { User } from '../../domain/user.js';

/** Users of one account. A user of another account is never seen, changed or counted. */
export abstract class UserRepository {
  abstract find(accountId: string, id: string): Promise<User | null>;

  /** By the normalised address, which is unique in the installation. */
  abstract findByEmailAcrossAccounts(normalisedEmail: string): Promise<User | null>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<User>>;

  abstract countAdmins(accountId: string): Promise<number>;

  /** Throws a conflict if a user of this or another account has the address. */
  abstract add(user: User): Promise<void>;

  /** Throws a conflict if another user of this or another account has the address. */
  abstract save(user: User): Promise<void>;

  abstract remove(accountId: string, id: string): Promise<void>;
}
