import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { LockedBatcher } from '../../../concurrency/locked-batcher.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type AddressToSuppress, Suppression } from '../domain/suppression.js';
import { emitsEvent, suppressionEvent } from '../domain/suppression-event.js';
import { type ContactDetails, SuppressedContacts } from './ports/suppressed-contacts.js';
import { SuppressionRepository } from './ports/suppression.repository.js';
import { addressKey, ReportSuppressions } from './report-suppressions.service.js';

const MAX_ADDRESSES = 1_000;

interface Origin {
  cause: AddressToSuppress;
  contact: ContactDetails | undefined;
}

/**
 * Suppresses addresses, whatever the cause, with the status of their contacts, their events and the withdrawals of
 * consent. All suppressions are added here, except those of erased contacts.
 */
@Injectable()
export class SuppressAddresses {
  private readonly batches: LockedBatcher<readonly AddressToSuppress[], Suppression[]>;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly suppressions: SuppressionRepository,
    private readonly contacts: SuppressedContacts,
    private readonly reports: ReportSuppressions,
    private readonly clock: Clock,
    faults: DatabaseFaults,
  ) {
    this.batches = new LockedBatcher((calls) => this.writeBatch(calls), {
      ...{ transactions, faults, maxSize: MAX_ADDRESSES },
      sizeOf: (addresses) => addresses.length,
    });
  }

  /**
   * Adds an entry, and an event, for each address that has none: in the current transaction, or else in one that
   * concurrent calls of the account share. An existing entry stays, unless the new cause takes precedence; then it gets
   * that cause, and an event. One of several concurrent calls adds the entry. Ignores addresses that are not valid in
   * their channel, because nothing can be sent to them. Returns the entries that were added.
   */
  async suppress(addresses: readonly AddressToSuppress[]): Promise<Suppression[]> {
    const [first] = addresses;
    if (!first) return [];
    const isOneAccount = addresses.every(({ accountId }) => accountId === first.accountId);
    if (this.transactions.isRunning || !isOneAccount) return [...(await this.write(addresses)).values()];
    return this.batches.add(first.accountId, addresses);
  }

  /**
   * Records, in the current transaction, withdrawals of consent by recipients whose addresses are suppressed already
   * and not erased.
   */
  withdraw(addresses: readonly AddressToSuppress[]): Promise<void> {
    return this.reports.withdraw(addresses);
  }

  private async writeBatch(calls: readonly (readonly AddressToSuppress[])[]): Promise<Suppression[][]> {
    const added = await this.write(calls.flat());
    return calls.map((causes) => causes.flatMap((cause) => added.get(cause) ?? []));
  }

  /** Writes in one transaction. Returns the added entries by their cause. */
  private async write(addresses: readonly AddressToSuppress[]): Promise<Map<AddressToSuppress, Suppression>> {
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
      const keys = new Set(written.map(({ suppression }) => addressKey(suppression)));
      await this.reports.report(causes, keys, events);
      return added;
    });
  }

  /** Sets the contact of each entry. If several causes have the same entry, returns the first. */
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

/** The fields that distinguish entries from each other. */
const keyOf = ({ accountId, channel, address, reason, source, messageLogId }: Suppression): string =>
  [accountId, channel, address, reason, source, messageLogId].join(' ');
