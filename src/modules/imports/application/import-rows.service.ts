import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import { Clock } from '../../../shared/ports/clock.js';
import {
  ContactRepository,
  type ContactRow,
  ListDirectory,
  WriteContacts,
  type WrittenContact,
} from '../../contacts/index.js';
import { SuppressionList } from '../../suppression/index.js';

/** By normalised address; addresses of erased contacts are missing. */
export type RowOutcomes = Map<string, WrittenContact['outcome']>;

/** Writes a batch of rows of a file, one per address. */
@Injectable()
export class ImportRows {
  constructor(
    private readonly lists: ListDirectory,
    private readonly contacts: ContactRepository,
    private readonly writeContacts: WriteContacts,
    private readonly suppressionList: SuppressionList,
    private readonly clock: Clock,
  ) {}

  /** Runs in the current transaction. Throws invalid if the list does not exist any more. */
  async write(accountId: string, rows: readonly ContactRow[], listId: string | null): Promise<RowOutcomes> {
    await this.writeContacts.lockListsShared(accountId);
    if (listId !== null) await this.lists.require(accountId, 'listId', [listId]);
    const addToList = listId === null ? {} : { addToList: listId };
    const byAddress = new Map(rows.map((row) => [normaliseEmail(row.email), { ...row, ...addToList }]));
    const written = await this.writeContacts.write(accountId, byAddress, 'import');
    return new Map([...written].map(([email, { outcome }]) => [email, outcome]));
  }

  /** Returns what `write` would return, without writing. */
  async preview(accountId: string, rows: readonly ContactRow[], listId: string | null): Promise<RowOutcomes> {
    const remaining = new Map(rows.map((row) => [normaliseEmail(row.email), row]));
    const outcomes: RowOutcomes = new Map();
    const existing = await this.contacts.findByEmails(accountId, [...remaining.keys()]);
    for (const contact of existing) {
      const row = { ...remaining.get(contact.normalisedEmail), ...(listId !== null && { addToList: listId }) };
      outcomes.set(contact.normalisedEmail, contact.change(row, this.clock.now()) ? 'updated' : 'unchanged');
      remaining.delete(contact.normalisedEmail);
    }
    const reasons = await this.suppressionList.findReasons(accountId, [...remaining.keys()]);
    for (const email of remaining.keys()) if (reasons.get(email) !== 'erased') outcomes.set(email, 'created');
    return outcomes;
  }
}
