import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type AddressToSuppress, Suppression } from '../domain/suppression.js';
import { emitsEvent, suppressionEvent } from '../domain/suppression-event.js';
import { type ContactDetails, SuppressedContacts } from './ports/suppressed-contacts.js';
import { SuppressionRepository } from './ports/suppression.repository.js';

interface Origin {
  cause: AddressToSuppress;
  contact: ContactDetails | undefined;
}

/** Writes suppressions with the status of their contacts and their events. */
@Injectable()
export class WriteSuppressions {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly suppressions: SuppressionRepository,
    private readonly contacts: SuppressedContacts,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Does what `SuppressAddresses.suppress` describes, in one transaction. Returns the added entries by their cause. */
  async write(addresses: readonly AddressToSuppress[]): Promise<Map<AddressToSuppress, Suppression>> {
    const now = this.clock.now();
    const causes = new Map<Suppression, AddressToSuppress>();
    for (const cause of addresses) {
      const suppression = Suppression.create(newId(now), cause, now);
      if (suppression) causes.set(suppression, cause);
    }
    if (causes.size === 0) return new Map();
    return this.transactions.run(async () => {
      const origins = await this.lockContacts(causes);
      const written = await this.suppressions.addAcrossAccounts([...causes.keys()]);
      await this.contacts.updateStatuses(
        written.flatMap(({ suppression: { accountId, contactId, reason } }) =>
          contactId === null ? [] : { accountId, contactId, reason },
        ),
        now,
      );
      const added = new Map<AddressToSuppress, Suppression>();
      const events = written.flatMap(({ suppression, former }) => {
        const origin = origins.get(keyOf(suppression));
        if (!origin) return [];
        const { cause, contact } = origin;
        if (former === null) added.set(cause, suppression);
        return emitsEvent(suppression, former) ? suppressionEvent(suppression, cause, now, contact) : [];
      });
      await this.outbox.add(events);
      return added;
    });
  }

  /** Sets the contact of each entry. Of several causes for the same entry, returns the first. */
  private async lockContacts(causes: ReadonlyMap<Suppression, AddressToSuppress>): Promise<Map<string, Origin>> {
    const entries = [...causes.keys()];
    const emailEntries = entries.filter(({ channel }) => channel === 'email');
    const addresses = emailEntries.map(({ accountId, address }) => ({ accountId, email: address }));
    await this.contacts.lock([...new Set(entries.map(({ accountId }) => accountId))], addresses);
    const found = addresses.length === 0 ? [] : await this.contacts.findAcrossAccounts(addresses);
    const contacts = new Map(emailEntries.map((entry, i) => [entry, found[i] ?? undefined]));
    const origins = new Map<string, Origin>();
    for (const [entry, cause] of causes) {
      const contact = contacts.get(entry);
      if (contact) entry.contactId = contact.contactId;
      if (!origins.has(keyOf(entry))) origins.set(keyOf(entry), { cause, contact });
    }
    return origins;
  }
}

/** What distinguishes entries from each other. */
const keyOf = ({ accountId, channel, address, reason, source, messageLogId }: Suppression): string =>
  [accountId, channel, address, reason, source, messageLogId].join(' ');
