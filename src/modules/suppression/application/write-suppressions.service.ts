import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type AddressToSuppress, Suppression } from '../domain/suppression.js';
import { isToldOf, suppressionEvent } from '../domain/suppression-event.js';
import { type ContactFacts, SuppressedContacts } from './ports/suppressed-contacts.js';
import { SuppressionRepository } from './ports/suppression.repository.js';

interface Wanted {
  cause: AddressToSuppress;
  contact: ContactFacts | undefined;
}

/** Every suppression shows on its contact and is told to the systems of its account. */
@Injectable()
export class WriteSuppressions {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly suppressions: SuppressionRepository,
    private readonly contacts: SuppressedContacts,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** What `SuppressAddresses` says, in one transaction. The entries that were added, by their cause. */
  async write(addresses: readonly AddressToSuppress[]): Promise<Map<AddressToSuppress, Suppression>> {
    const now = this.clock.now();
    const causes = new Map<Suppression, AddressToSuppress>();
    for (const cause of addresses) {
      const suppression = Suppression.create(newId(now), cause, now);
      if (suppression) causes.set(suppression, cause);
    }
    if (causes.size === 0) return new Map();
    return this.transactions.run(async () => {
      const wanted = await this.holdContacts(causes);
      const written = await this.suppressions.addAcrossAccounts([...causes.keys()]);
      await this.contacts.follow(
        written.flatMap(({ suppression: { accountId, contactId, reason } }) =>
          contactId === null ? [] : { accountId, contactId, reason },
        ),
        now,
      );
      const added = new Map<AddressToSuppress, Suppression>();
      const events = written.flatMap(({ suppression, formerReason }) => {
        const by = wanted.get(keyOf(suppression));
        if (!by) return [];
        if (formerReason === null) added.set(by.cause, suppression);
        return isToldOf(suppression, formerReason) ? suppressionEvent(suppression, by.cause, now, by.contact) : [];
      });
      await this.outbox.add(events);
      return added;
    });
  }

  /** Notes on each entry whose address has a contact which that is. The first of those that would make the same entry. */
  private async holdContacts(causes: ReadonlyMap<Suppression, AddressToSuppress>): Promise<Map<string, Wanted>> {
    const entries = [...causes.keys()];
    const ofEmails = entries.filter(({ channel }) => channel === 'email');
    const addresses = ofEmails.map(({ accountId, address }) => ({ accountId, email: address }));
    await this.contacts.hold([...new Set(entries.map(({ accountId }) => accountId))], addresses);
    const found = addresses.length === 0 ? [] : await this.contacts.findAcrossAccounts(addresses);
    const contacts = new Map(ofEmails.map((entry, i) => [entry, found[i] ?? undefined]));
    const wanted = new Map<string, Wanted>();
    for (const [entry, cause] of causes) {
      const contact = contacts.get(entry);
      if (contact) entry.contactId = contact.contactId;
      if (!wanted.has(keyOf(entry))) wanted.set(keyOf(entry), { cause, contact });
    }
    return wanted;
  }
}

/** What the list tells apart. */
const keyOf = ({ accountId, channel, address, reason, source, messageLogId }: Suppression): string =>
  [accountId, channel, address, reason, source, messageLogId].join(' ');
