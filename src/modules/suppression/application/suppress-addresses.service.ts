import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type AddressToSuppress, Suppression } from '../domain/suppression.js';
import { suppressionEvent } from '../domain/suppression-event.js';
import { type ContactFacts, SuppressedContacts } from './ports/suppressed-contacts.js';
import { SuppressionRepository } from './ports/suppression.repository.js';

/**
 * The one way onto the list, whatever the cause, so that every suppression shows on its contact and is told to the systems
 * of its account.
 */
@Injectable()
export class SuppressAddresses {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly suppressions: SuppressionRepository,
    private readonly contacts: SuppressedContacts,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an entry for each address that has none and writes one event for it, in the running transaction or one of its
   * own. An address that stood already keeps its entry, at most with a cause that tells more, and fires nothing; of
   * concurrent calls one adds. What is no address of its channel is left out: nothing can be sent to it.
   * Returns the entries that were added.
   */
  async suppress(addresses: readonly AddressToSuppress[]): Promise<Suppression[]> {
    const now = this.clock.now();
    const causes = new Map<string, AddressToSuppress>();
    const wanted = addresses.flatMap((cause) => {
      const suppression = Suppression.create(newId(now), cause, now);
      if (suppression) causes.set(suppression.id, cause);
      return suppression ?? [];
    });
    if (wanted.length === 0) return [];
    return this.transactions.run(async () => {
      const contacts = await this.holdContacts(wanted);
      const written = await this.suppressions.addAcrossAccounts(wanted);
      await this.contacts.follow(
        written.flatMap(({ accountId, contactId, reason }) =>
          contactId === null ? [] : { accountId, contactId, reason },
        ),
        now,
      );
      const added = written.filter(({ id }) => causes.has(id));
      await this.outbox.add(
        added.flatMap((suppression) => {
          const cause = causes.get(suppression.id);
          return cause ? suppressionEvent(suppression, cause, contacts.get(suppression.id)) : [];
        }),
      );
      return added;
    });
  }

  /** Notes on each entry whose address has a contact which that is. By id of the entry. */
  private async holdContacts(wanted: readonly Suppression[]): Promise<Map<string, ContactFacts>> {
    const ofEmails = wanted.filter(({ channel }) => channel === 'email');
    if (ofEmails.length === 0) return new Map();
    await this.contacts.hold([...new Set(ofEmails.map(({ accountId }) => accountId))]);
    const found = await this.contacts.findAcrossAccounts(
      ofEmails.map(({ accountId, address }) => ({ accountId, email: address })),
    );
    return new Map(
      ofEmails.flatMap((entry, i) => {
        const contact = found[i];
        if (!contact) return [];
        entry.contactId = contact.contactId;
        return [[entry.id, contact]];
      }),
    );
  }
}
