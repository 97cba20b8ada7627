import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Topic } from '../../../topics/index.js';
import type { Contact, ContactStatus } from '../../domain/contact.js';

export interface ContactFilter {
  /** Part of the email, name or company; case-insensitive, without wildcards. */
  search?: string | undefined;
  status?: ContactStatus | undefined;
  tag?: string | undefined;
  listId?: string | undefined;
  /** Selects contacts that are not out of this topic. */
  topic?: Pick<Topic, 'id' | 'byDefault'> | undefined;
}

export interface ContactPage extends Page<Contact> {
  /**
   * Whether `total` may be an estimate or some minutes old. Totals up to 100,000 that are counted quickly are exact.
   */
  totalIsEstimate: boolean;
}

/** Contacts of one account. Contacts of other accounts are invisible. */
export abstract class ContactRepository {
  /** Newest first. */
  abstract list(accountId: string, filter: ContactFilter, page: PageRequest): Promise<ContactPage>;

  /** The newest contacts whose id is less than `id`, newest first; null starts at the newest. */
  abstract listBefore(accountId: string, filter: ContactFilter, id: string | null, limit: number): Promise<Contact[]>;

  abstract find(accountId: string, id: string): Promise<Contact | null>;

  /** The contacts of these normalised addresses. With `lock` nobody else can change them until the transaction ends. */
  abstract findByEmails(accountId: string, emails: readonly string[], lock?: 'lock'): Promise<Contact[]>;

  /**
   * Adds the contacts whose address has none yet and returns their ids. Waits for concurrent calls that add one of the
   * addresses.
   */
  abstract addAbsent(accountId: string, contacts: readonly Contact[]): Promise<Set<string>>;

  abstract save(accountId: string, contacts: readonly Contact[]): Promise<void>;

  /** Returns the removed contact, or null. */
  abstract remove(accountId: string, id: string): Promise<Contact | null>;
}
