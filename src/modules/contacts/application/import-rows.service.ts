import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SuppressionList } from '../../suppression/index.js';
import type { ContactRow } from '../domain/contact.js';
import { ListDirectory } from './list-directory.service.js';
import { ContactRepository } from './ports/contact.repository.js';
import { WriteContacts, type WrittenContact } from './write-contacts.service.js';

/** By normalised address; those that were erased are missing. */
export type RowOutcomes = Map<string, WrittenContact['outcome']>;

/** A batch of rows of a file, one per address. */
@Injectable()
export class ImportRows {
  constructor(
    private readonly lists: ListDirectory,
    private readonly contacts: ContactRepository,
    private readonly writeContacts: WriteContacts,
    private readonly suppressionList: SuppressionList,
    private readonly clock: Clock,
  ) {}

  /** In the running transaction. Throws invalid if the list is gone. */
  async write(accountId: string, rows: readonly ContactRow[], listId: string | null): Promise<RowOutcomes> {
    await this.writeContacts.takeTurn(accountId);
    if (listId !== null) await this.lists.require(accountId, 'listId', [listId]);
    const listed = listId === null ? {} : { addToList: listId };
    const byAddress = new Map(rows.map((row) => [normaliseEmail(row.email), { ...row, ...listed }]));
    const written = await this.writeContacts.write(accountId, byAddress, 'import');
    return new Map([...written].map(([email, { outcome }]) => [email, outcome]));
  }

  /** What `write` would do, and does not. */
  async foresee(accountId: string, rows: readonly ContactRow[], listId: string | null): Promise<RowOutcomes> {
    const left = new Map(rows.map((row) => [normaliseEmail(row.email), row]));
    const outcomes: RowOutcomes = new Map();
    const known = await this.contacts.findByEmails(accountId, [...left.keys()]);
    for (const contact of known) {
      const row = { ...left.get(contact.normalisedEmail), ...(listId !== null && { addToList: listId }) };
      outcomes.set(contact.normalisedEmail, contact.change(row, this.clock.now()) ? 'updated' : 'unchanged');
      left.delete(contact.normalisedEmail);
    }
    const standing = await this.suppressionList.reasons(accountId, [...left.keys()]);
    for (const email of left.keys()) if (standing.get(email) !== 'erased') outcomes.set(email, 'created');
    return outcomes;
  }
}
