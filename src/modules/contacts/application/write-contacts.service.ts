import { Injectable } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TimeSlice } from '../../../shared/time-slice.js';
import { SuppressAddresses, SuppressionList } from '../../suppression/index.js';
import { Contact, type ContactRow, statusForReason } from '../domain/contact.js';
import { ContactComparison } from './ports/contact-comparison.js';
import { ContactRepository } from './ports/contact.repository.js';
import { ContactLocks } from './ports/contact-locks.js';

/** Becomes the source of suppressions that result from writing contacts. */
export type ContactSource = 'api' | 'dashboard' | 'import';

/** Contacts that existed before are not kept: thousands of them may take a hundred megabytes. */
export type WrittenContact =
  { outcome: 'created'; contact: Contact } | { outcome: 'updated' | 'unchanged'; contact: null };

const UPDATED: WrittenContact = { outcome: 'updated', contact: null };
const UNCHANGED: WrittenContact = { outcome: 'unchanged', contact: null };
/** Each may take 50 kB. */
const CHANGED_AT_A_TIME = 250;
const SUPPRESSED_AT_A_TIME = 1_000;

/** By normalised address. */
type Rows = ReadonlyMap<string, ContactRow>;
type Written = Map<string, WrittenContact>;

/** Adds and changes contacts by address. All writes of contacts with a status go through here. */
@Injectable()
export class WriteContacts {
  constructor(
    private readonly locks: ContactLocks,
    private readonly comparison: ContactComparison,
    private readonly contacts: ContactRepository,
    private readonly suppressionList: SuppressionList,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /** Call it first in the transaction: no list is removed until the transaction ends. See `ContactLocks`. */
  lockListsShared(accountId: string, maxWaitMs?: number): Promise<void> {
    return this.locks.lockListsShared(accountId, maxWaitMs);
  }

  /**
   * Adds or changes the contact of each row in the current transaction, after `lockListsShared`. Commit soon after:
   * suppressions of the account wait for it. The status of a new contact follows from the suppression of its address,
   * whatever the row says; `unsubscribed` suppresses the address. Rows and results are by normalised address; addresses
   * of erased contacts are missing from the result.
   */
  async write(accountId: string, rows: Rows, source: ContactSource): Promise<Written> {
    const written: Written = new Map();
    // Sorted, because contacts are locked in portions, and two calls must lock the same ones in the same order.
    let remaining = new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
    // Contacts that another transaction adds meanwhile are changed in the next round.
    while (remaining.size > 0) {
      const differences = await this.comparison.compare(accountId, remaining);
      const [missing, changed] = [new Map<string, ContactRow>(), new Map<string, ContactRow>()];
      // Contacts that stay as they are need no lock.
      for (const [email, row] of remaining) {
        const difference = differences.get(email);
        if (difference === undefined) written.set(email, UNCHANGED);
        else (difference === 'missing' ? missing : changed).set(email, row);
      }
      remaining = await this.add(accountId, missing, written);
      const removed = await this.change(accountId, changed, written);
      for (const [email, row] of removed) remaining.set(email, row);
    }
    await this.unsubscribe(accountId, rows, written, source);
    await this.applySuppressions(accountId, rows, written);
    return written;
  }

  /** Returns the rows whose contact another transaction has added meanwhile. */
  private async add(accountId: string, rows: Rows, written: Written): Promise<Map<string, ContactRow>> {
    const remaining = new Map(rows);
    if (remaining.size === 0) return remaining;
    const reasons = await this.suppressionList.findReasons(accountId, [...remaining.keys()]);
    for (const [email, reason] of reasons) if (reason === 'erased') remaining.delete(email);
    const now = this.clock.now();
    const contacts: Contact[] = [];
    const slice = new TimeSlice();
    for (const [email, row] of remaining) {
      if (slice.isOver) await slice.next();
      contacts.push(Contact.create(newId(now), accountId, row, statusForReason(reasons.get(email)), now));
    }
    const added = await this.contacts.addAbsent(accountId, contacts);
    for (const contact of contacts) {
      if (!added.has(contact.id)) continue;
      written.set(contact.normalisedEmail, { contact, outcome: 'created' });
      remaining.delete(contact.normalisedEmail);
    }
    return remaining;
  }

  /** Compares again under a lock. Returns the rows whose contact has been removed meanwhile. */
  private async change(accountId: string, rows: Rows, written: Written): Promise<Map<string, ContactRow>> {
    const remaining = new Map(rows);
    for (const emails of chunk([...rows.keys()], CHANGED_AT_A_TIME)) {
      const locked = await this.contacts.findByEmails(accountId, emails, 'lock');
      const changed: Contact[] = [];
      const now = this.clock.now();
      for (const contact of locked) {
        const { normalisedEmail } = contact;
        const isChanged = contact.change(remaining.get(normalisedEmail) ?? {}, now);
        written.set(normalisedEmail, isChanged ? UPDATED : UNCHANGED);
        if (isChanged) changed.push(contact);
        remaining.delete(normalisedEmail);
      }
      await this.contacts.save(accountId, changed);
    }
    return remaining;
  }

  private async unsubscribe(accountId: string, rows: Rows, written: Written, source: ContactSource): Promise<void> {
    const addresses = [...rows]
      .filter(([email, { status }]) => status === 'unsubscribed' && written.get(email)?.outcome !== 'unchanged')
      .map(([email]) => email);
    const cause = { accountId, channel: 'email', reason: 'unsubscribed', source } as const;
    for (const part of chunk(addresses, SUPPRESSED_AT_A_TIME))
      await this.suppressAddresses.suppress(part.map((address) => ({ ...cause, address })));
  }

  /**
   * Applies to new contacts what was suppressed, lifted or erased since the reasons were read. From here on
   * suppressions do not change until the commit.
   */
  private async applySuppressions(accountId: string, rows: Rows, written: Written): Promise<void> {
    const added = [...written.values()].flatMap(({ contact, outcome }) => (outcome === 'created' ? [contact] : []));
    if (added.length === 0) return;
    await this.locks.lockSuppressionsShared(accountId);
    const emails = added.map(({ normalisedEmail }) => normalisedEmail);
    const reasons = await this.suppressionList.findReasons(accountId, emails);
    const changed: Contact[] = [];
    for (const contact of added) {
      const { normalisedEmail } = contact;
      const reason = reasons.get(normalisedEmail);
      if (reason === 'erased') {
        await this.contacts.remove(accountId, contact.id);
        written.delete(normalisedEmail);
        continue;
      }
      const status = reason === undefined ? (rows.get(normalisedEmail)?.status ?? 'active') : statusForReason(reason);
      if (contact.status !== status) changed.push(Object.assign(contact, { status }));
    }
    await this.contacts.save(accountId, changed);
  }
}
