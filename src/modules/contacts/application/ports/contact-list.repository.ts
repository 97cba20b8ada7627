import type { Page, PageRequest } from '../../../../shared/page.js';
import type { ContactList } from '../../domain/contact-list.js';

/** Lists of one account. Lists of other accounts are invisible. */
export abstract class ContactListRepository {
  /**
   * Throws conflict if another list of the account has the same name, ignoring case, or the account has MAX_LISTS;
   * exact under concurrency.
   */
  abstract add(list: ContactList): Promise<void>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<ContactList>>;

  /** Nobody else can change the list until the transaction ends. */
  abstract findAndLock(accountId: string, id: string): Promise<ContactList | null>;

  /** Returns the ids that are lists of the account. */
  abstract findIds(accountId: string, ids: readonly string[]): Promise<Set<string>>;

  /** Throws conflict like `add`. */
  abstract save(list: ContactList): Promise<void>;

  /** Returns the removed list, or null. Its contacts stay. */
  abstract remove(accountId: string, id: string): Promise<ContactList | null>;

  /** Removes the memberships of a list that has been removed. */
  abstract removeMembersAcrossAccounts(id: string): Promise<void>;
}
