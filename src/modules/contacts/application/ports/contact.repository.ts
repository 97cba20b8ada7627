import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Contact, ContactStatus } from '../../domain/contact.js';

export interface ContactFilter {
  /** Found anywhere in email, name or company, whatever its case; no wildcards. */
  search?: string | undefined;
  status?: ContactStatus | undefined;
  tag?: string | undefined;
  listId?: string | undefined;
}

export interface ContactPage extends Page<Contact> {
  /** Whether `total` may be some minutes old. It never is up to 100,000. */
  totalIsEstimate: boolean;
}

/** Contacts of one account. A contact of another account is never seen or changed. */
export abstract class ContactRepository {
  /** Newest first. */
  abstract list(accountId: string, filter: ContactFilter, page: PageRequest): Promise<ContactPage>;

  /** At most so many, newest first, whose id comes before this one; null: the newest. */
  abstract listBefore(accountId: string, filter: ContactFilter, id: string | null, limit: number): Promise<Contact[]>;

  abstract find(accountId: string, id: string): Promise<Contact | null>;

  /** Those of the normalised addresses that have a contact. With `lock` nobody else changes them until the transaction ends. */
  abstract findByEmails(accountId: string, emails: readonly string[], lock?: 'lock'): Promise<Contact[]>;

  /** Adds those whose address has no contact yet; the ids of those. Waits for concurrent calls that add one of the addresses. */
  abstract addAbsent(accountId: string, contacts: readonly Contact[]): Promise<Set<string>>;

  abstract save(accountId: string, contacts: readonly Contact[]): Promise<void>;

  /** The contact that was removed, null if there was none. */
  abstract remove(accountId: string, id: string): Promise<Contact | null>;
}
