import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import { isId } from '../../../shared/ids.js';
import type { PageRequest } from '../../../shared/page.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import {
  asksForActive,
  activeWhileSuppressed,
  type Contact,
  type ContactFields,
  type ContactRow,
} from '../domain/contact.js';
import { ContactFilters, type RequestedFilter } from './contact-filters.service.js';
import { ListDirectory } from './list-directory.service.js';
import { type ConsentCount, ContactAudience } from './ports/contact-audience.js';
import { type ContactPage, ContactRepository } from './ports/contact.repository.js';
import type { ContactOrigin, WrittenContact } from './apply-statuses.service.js';
import { WriteContacts } from './write-contacts.service.js';

export interface UpsertedContact {
  contact: Contact;
  outcome: WrittenContact['outcome'];
}

@Injectable()
export class ManageContacts {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly contacts: ContactRepository,
    private readonly lists: ListDirectory,
    private readonly writeContacts: WriteContacts,
    private readonly audience: ContactAudience,
    private readonly filters: ContactFilters,
  ) {}

  async list(accountId: string, filter: RequestedFilter, page: PageRequest): Promise<ContactPage> {
    return this.contacts.list(accountId, await this.filters.find(accountId, filter), page);
  }

  /** Throws `invalid` for a topic that the account has never had. */
  async countConsents(accountId: string, topicId?: string): Promise<ConsentCount> {
    const { topic = null } = await this.filters.find(accountId, { topicId });
    return this.audience.countConsents(accountId, topic);
  }

  async get(accountId: string, id: string): Promise<Contact> {
    return found(isId(id) ? await this.contacts.find(accountId, id) : null);
  }

  /** Adds a contact, or changes the one that has the address. */
  upsert(accountId: string, row: ContactRow, origin: ContactOrigin): Promise<UpsertedContact> {
    return this.transactions.runInLane(accountId, async () => {
      await this.writeContacts.lockListsShared(accountId);
      return this.write(accountId, row, origin);
    });
  }

  change(accountId: string, id: string, fields: ContactFields, origin: ContactOrigin): Promise<Contact> {
    return this.transactions.runInLane(accountId, async () => {
      await this.writeContacts.lockListsShared(accountId);
      const { email } = await this.get(accountId, id);
      const { contact } = await this.write(accountId, { ...fields, email }, origin);
      // It is another contact if it was removed and its address added again meanwhile.
      return found(contact.id === id ? contact : null);
    });
  }

  /** A suppression of its address stays. */
  async remove(accountId: string, id: string): Promise<Contact> {
    return found(isId(id) ? await this.contacts.remove(accountId, id) : null);
  }

  private async write(accountId: string, row: ContactRow, origin: ContactOrigin): Promise<UpsertedContact> {
    await this.lists.require(accountId, 'listIds', row.listIds ?? []);
    const key = normaliseEmail(row.email);
    const written = (await this.writeContacts.write(accountId, new Map([[key, row]]), origin)).get(key);
    if (!written) throw DomainError.invalid(`${row.email} is suppressed`, 'suppressed');
    if (written.outcome === 'refused') throw DomainError.invalid(written.fault);
    const contact = written.contact ?? (await this.contacts.findByEmails(accountId, [key]))[0];
    // It was removed after it had been found unchanged.
    if (!contact) return this.write(accountId, row, origin);
    if (asksForActive(row) && contact.status !== 'active')
      throw DomainError.invalid(activeWhileSuppressed(contact.email), 'suppressed');
    return { contact, outcome: written.outcome };
  }
}

function found(contact: Contact | null): Contact {
  if (!contact) throw DomainError.notFound('Contact');
  return contact;
}
