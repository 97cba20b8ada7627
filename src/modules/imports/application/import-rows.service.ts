import { Injectable } from '@nestjs/common';

import { type Actor, SYSTEM } from '../../../shared/actor.js';
import { normaliseEmail } from '../../../shared/email-address.js';
import {
  activeWhileSuppressed,
  type ContactRow,
  ImportedConsents,
  ListDirectory,
  type PreviewedContact,
  WriteContacts,
} from '../../contacts/index.js';

/** Outcomes by normalised address; addresses of erased contacts are missing. */
export type RowOutcomes = Map<string, PreviewedContact>;

/** Writes a batch of rows of a file, one per address. */
@Injectable()
export class ImportRows {
  constructor(
    private readonly lists: ListDirectory,
    private readonly writeContacts: WriteContacts,
    private readonly consents: ImportedConsents,
  ) {}

  /**
   * Runs in the current transaction. `userId` started the import, if that is known. Throws invalid if the list does not
   * exist any more.
   */
  async write(
    accountId: string,
    rows: readonly ContactRow[],
    { listId, userId }: { listId: string | null; userId: string | null },
  ): Promise<RowOutcomes> {
    await this.writeContacts.lockListsShared(accountId);
    if (listId !== null) await this.lists.require(accountId, 'listId', [listId]);
    const { byAddress, outcomes } = await this.withoutRefused(accountId, rows, listId);
    const actor: Actor = userId === null ? SYSTEM : { type: 'user', id: userId };
    const written = await this.writeContacts.write(accountId, byAddress, { source: 'import', actor });
    await this.consents.record(accountId, byAddress, written, actor);
    for (const [email, result] of written) outcomes.set(email, result);
    return outcomes;
  }

  /** Returns what `write` would return, without writing. */
  async preview(accountId: string, rows: readonly ContactRow[], listId: string | null): Promise<RowOutcomes> {
    const { byAddress, outcomes } = await this.withoutRefused(accountId, rows, listId);
    for (const [email, result] of await this.writeContacts.preview(accountId, byAddress)) outcomes.set(email, result);
    return outcomes;
  }

  /** Returns the rows that can be written, and the outcomes of the other ones. */
  private async withoutRefused(
    accountId: string,
    rows: readonly ContactRow[],
    listId: string | null,
  ): Promise<{ byAddress: Map<string, ContactRow>; outcomes: RowOutcomes }> {
    const byAddress = new Map(
      rows.map((row) => [normaliseEmail(row.email), { ...row, addToList: listId ?? undefined }]),
    );
    const outcomes: RowOutcomes = new Map();
    for (const email of await this.writeContacts.findSuppressed(accountId, byAddress)) {
      const fault = activeWhileSuppressed(byAddress.get(email)?.email ?? email);
      outcomes.set(email, { outcome: 'refused', fault });
      byAddress.delete(email);
    }
    return { byAddress, outcomes };
  }
}
