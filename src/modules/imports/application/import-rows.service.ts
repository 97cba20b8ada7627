import { Injectable } from '@nestjs/common';

import { normaliseEmail } from '../../../shared/email-address.js';
import {
  ContactComparison,
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
    private readonly comparison: ContactComparison,
    private readonly writeContacts: WriteContacts,
    private readonly suppressionList: SuppressionList,
  ) {}

  /** Runs in the current transaction. Throws invalid if the list does not exist any more. */
  async write(accountId: string, rows: readonly ContactRow[], listId: string | null): Promise<RowOutcomes> {
    await this.writeContacts.lockListsShared(accountId);
    if (listId !== null) await this.lists.require(accountId, 'listId', [listId]);
    const written = await this.writeContacts.write(accountId, rowsByAddress(rows, listId), 'import');
    return new Map([...written].map(([email, { outcome }]) => [email, outcome]));
  }

  /** Returns what `write` would return, without writing. */
  async preview(accountId: string, rows: readonly ContactRow[], listId: string | null): Promise<RowOutcomes> {
    const byAddress = rowsByAddress(rows, listId);
    const differences = await this.comparison.compare(accountId, byAddress);
    const missing = [...differences.keys()].filter((email) => differences.get(email) === 'missing');
    const reasons = await this.suppressionList.findReasons(accountId, missing);
    const outcomes: RowOutcomes = new Map();
    for (const email of byAddress.keys()) {
      const difference = differences.get(email);
      if (difference === undefined) outcomes.set(email, 'unchanged');
      else if (difference === 'changed') outcomes.set(email, 'updated');
      else if (reasons.get(email) !== 'erased') outcomes.set(email, 'created');
    }
    return outcomes;
  }
}

const rowsByAddress = (rows: readonly ContactRow[], listId: string | null): Map<string, ContactRow> =>
  new Map(rows.map((row) => [normaliseEmail(row.email), { ...row, addToList: listId ?? undefined }]));
