import { Injectable } from '@nestjs/common';

import { normaliseAddress } from '../../../shared/address.js';
import { newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { NewConsent } from '../domain/consent.js';
import { ConsentContacts } from './ports/consent-contacts.js';
import { ConsentRepository, type ConsentToAppend } from './ports/consent.repository.js';

/** Appends records of consent and of its withdrawal. All of them are written here. */
@Injectable()
export class RecordConsents {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly consents: ConsentRepository,
    private readonly contacts: ConsentContacts,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends the records in the current transaction, or else in one of their own, in this order. Returns their ids, in
   * order; null for a record whose condition is not met or whose address is not valid in its channel.
   */
  async record(records: readonly NewConsent[]): Promise<(string | null)[]> {
    const now = this.clock.now();
    const ids = newIds(now, records.length);
    const toAppend = records.flatMap((record, i): ConsentToAppend[] => {
      const normalisedAddress = normaliseAddress(record.channel, record.address);
      return normalisedAddress === null ? [] : [{ ...record, id: ids[i] ?? '', normalisedAddress, recordedAt: now }];
    });
    if (toAppend.length === 0) return records.map(() => null);
    const appended = await this.transactions.run(async () =>
      this.consents.appendAcrossAccounts(await this.withContacts(toAppend)),
    );
    return ids.map((id) => (appended.has(id) ? id : null));
  }

  private async withContacts(records: readonly ConsentToAppend[]): Promise<ConsentToAppend[]> {
    const unknown = records.filter(({ channel, contactId }) => channel === 'email' && contactId === undefined);
    if (unknown.length === 0) return [...records];
    const addresses = unknown.map(({ accountId, normalisedAddress: email }) => ({ accountId, email }));
    const found = await this.contacts.findIdsAcrossAccounts(addresses);
    const contactIds = new Map(unknown.map(({ id }, i) => [id, found[i] ?? null]));
    return records.map((record) => ({ ...record, contactId: record.contactId ?? contactIds.get(record.id) ?? null }));
  }
}
