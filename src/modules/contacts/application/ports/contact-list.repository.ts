import type { Page, PageRequest } from '../../../../shared/page.js';
import type { ContactList } from '../../domain/contact-list.js';

/** Lists of one account. A list of another account is never seen or changed. */
export abstract class ContactListRepository {
  /** Throws conflict for a name that another list of the account has, in any case. */
  abstract add(list: ContactList): Promise<void>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<ContactList>>;

  /** Nobody else changes the list until the transaction ends. */
  abstract findAndLock(accountId: string, id: string): Promise<ContactList | null>;

  /** Those of the ids that name a list. */
  abstract findIds(accountId: string, ids: readonly string[]): Promise<Set<string>>;

  /** Throws conflict like `add`. */
  abstract save(list: ContactList): Promise<void>;

  /** The list that was removed, null if there was none. Its contacts stay. */
  abstract remove(accountId: string, id: string): Promise<ContactList | null>;

  /** Forgets who was in a list that is gone. */
  abstract forgetMembersAcrossAccounts(id: string): Promise<void>;
}
