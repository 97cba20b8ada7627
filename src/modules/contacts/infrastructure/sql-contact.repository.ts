import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { jsonArrays } from '../../../platform/database/json-array.js';
import { type PageRequest, toPage } from '../../../shared/page.js';
import { type ContactFilter, type ContactPage, ContactRepository } from '../application/ports/contact.repository.js';
import { Contact } from '../domain/contact.js';
import {
  ADD_ABSENT,
  FIND,
  FIND_BY_EMAILS,
  listContacts,
  listContactsBefore,
  LOCK_BY_EMAILS,
  REMOVE,
  SAVE,
  searchContacts,
} from './contact.sql.js';
import { frequentWords } from './contact-search.js';
import { ContactTotals } from './contact-totals.js';

@Injectable()
export class SqlContactRepository extends ContactRepository {
  constructor(
    private readonly database: Database,
    private readonly totals: ContactTotals,
  ) {
    super();
  }

  async list(accountId: string, filter: ContactFilter, page: PageRequest): Promise<ContactPage> {
    if (filter.search !== undefined) return this.search(accountId, filter, filter.search, page);
    const { text, values } = listContacts(accountId, filter, page);
    // Sequential, because a read may use one connection at a time.
    const items = await this.read(text, values);
    const { total, totalIsEstimate } = totalOfLastPage(items, page) ?? (await this.totals.find(accountId, filter));
    return { ...toPage(items, total, page), totalIsEstimate };
  }

  listBefore(accountId: string, filter: ContactFilter, id: string | null, limit: number): Promise<Contact[]> {
    const { text, values } = listContactsBefore(accountId, filter, id, limit);
    return this.read(text, values);
  }

  async find(accountId: string, id: string): Promise<Contact | null> {
    const [contact] = await this.query(FIND, [accountId, id]);
    return contact ?? null;
  }

  findByEmails(accountId: string, emails: readonly string[], lock?: 'lock'): Promise<Contact[]> {
    return this.query(lock ? LOCK_BY_EMAILS : FIND_BY_EMAILS, [accountId, emails]);
  }

  async addAbsent(accountId: string, contacts: readonly Contact[]): Promise<Set<string>> {
    const added = new Set<string>();
    for await (const rows of jsonArrays(contacts))
      for (const { id } of await this.database.query<{ id: string }>(ADD_ABSENT, [accountId, rows])) added.add(id);
    return added;
  }

  async save(accountId: string, contacts: readonly Contact[]): Promise<void> {
    for await (const rows of jsonArrays(contacts)) await this.database.query(SAVE, [accountId, rows]);
  }

  async remove(accountId: string, id: string): Promise<Contact | null> {
    const [removed] = await this.query(REMOVE, [accountId, id]);
    return removed ?? null;
  }

  /** A search collects all matches, in no order, before it has a page, so one statement counts them, too. */
  private async search(
    accountId: string,
    filter: ContactFilter,
    search: string,
    page: PageRequest,
  ): Promise<ContactPage> {
    const found: Found[] = [];
    const { total, totalIsEstimate } = await this.totals.find(accountId, filter, async (countUpTo, maxMs) => {
      const frequent = await frequentWords(this.database, accountId, search);
      const { text, values } = searchContacts(accountId, filter, page, countUpTo, frequent);
      found.push(...(await this.database.read<Found>(text, values, maxMs)));
      return found[0]?.total ?? 0;
    });
    const rows = listContacts(accountId, filter, page);
    const items = totalIsEstimate ? await this.read(rows.text, rows.values) : toContacts(found.filter(isContact));
    return { ...toPage(items, total, page), totalIsEstimate };
  }

  private async query(text: string, values: unknown[]): Promise<Contact[]> {
    return toContacts(await this.database.query<Contact>(text, values));
  }

  private async read(text: string, values: unknown[]): Promise<Contact[]> {
    return toContacts(await this.database.read<Contact>(text, values));
  }
}

/** `total` is the same on all rows; if there is no contact, one row has a null id. */
type Found = (Contact | { id: null }) & { total: number };

const toContacts = (rows: Contact[]): Contact[] => rows.map((row) => Object.assign(new Contact(), row));

const isContact = (row: Found): row is Contact & Found => row.id !== null;

/** A page that is not full is the last one, so nothing needs to be counted. Null if it is full or beyond the last. */
function totalOfLastPage(items: readonly Contact[], { page, limit }: PageRequest) {
  if (items.length === limit || (items.length === 0 && page > 1)) return null;
  return { total: (page - 1) * limit + items.length, totalIsEstimate: false };
}
