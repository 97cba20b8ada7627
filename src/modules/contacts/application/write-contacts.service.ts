import { Injectable } from '@nestjs/common';

import { chunk } from '../../../shared/collections.js';
import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TimeSlice } from '../../../concurrency/time-slice.js';
import { SuppressionList } from '../../suppression/index.js';
import { asksForActive, Contact, type ContactRow, statusForReason } from '../domain/contact.js';
import { ApplyStatuses, type ContactOrigin, type Rows, type Written } from './apply-statuses.service.js';
import { ContactComparison, type Difference } from './ports/contact-comparison.js';
import { ContactRepository } from './ports/contact.repository.js';
import { ContactLocks } from './ports/contact-locks.js';

/** The result that `write` would return for a row. */
export type PreviewedContact = { outcome: 'created' | 'updated' | 'unchanged' } | { outcome: 'refused'; fault: string };

const UPDATED = { outcome: 'updated', contact: null } as const;
const UNCHANGED = { outcome: 'unchanged', contact: null } as const;
/** A contact takes up to 50 kB. */
const CHANGED_AT_A_TIME = 250;

/** Adds and changes contacts by address. All writes of contacts with a status go through here. */
@Injectable()
export class WriteContacts {
  constructor(
    private readonly locks: ContactLocks,
    private readonly comparison: ContactComparison,
    private readonly contacts: ContactRepository,
    private readonly suppressionList: SuppressionList,
    private readonly applyStatuses: ApplyStatuses,
    private readonly clock: Clock,
  ) {}

  /** Call it first in the transaction: no list is removed until the transaction ends. See `ContactLocks`. */
  lockListsShared(accountId: string, maxWaitMs?: number): Promise<void> {
    return this.locks.lockListsShared(accountId, maxWaitMs);
  }

  /**
   * Returns the suppressed addresses of rows that ask for `active`, for an import to refuse them. No lock is needed: a
   * later suppression takes effect as if it came after the import.
   */
  async findSuppressed(accountId: string, rows: Iterable<readonly [string, ContactRow]>): Promise<Set<string>> {
    const emails = new Set([...rows].flatMap(([email, row]) => (asksForActive(row) ? [email] : [])));
    if (emails.size === 0) return emails;
    const reasons = await this.suppressionList.findReasons(accountId, [...emails]);
    // Erased addresses are refused whatever the row asks for.
    return new Set([...reasons].flatMap(([email, reason]) => (reason === 'erased' ? [] : [email])));
  }

  /**
   * Adds or changes the contact of each row in the current transaction, after `lockListsShared`. Commit soon after:
   * suppressions of the account wait for it. The status of a new contact follows from the suppression of its address,
   * whatever the row says; `unsubscribed` suppresses the address. A refused row changes nothing. Rows and results are
   * by normalised address; addresses of erased contacts are missing from the result.
   */
  async write(accountId: string, rows: Rows, origin: ContactOrigin): Promise<Written> {
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
    await this.applyStatuses.apply(accountId, rows, written, origin);
    return written;
  }

  /** Returns what `write` would return for these rows, without writing and without locks. */
  async preview(accountId: string, rows: Rows): Promise<Map<string, PreviewedContact>> {
    const differences = await this.comparison.compare(accountId, rows);
    const missing = [...differences.keys()].filter((email) => differences.get(email) === 'missing');
    const reasons = await this.suppressionList.findReasons(accountId, missing);
    const faults = await this.findFaults(accountId, rows, differences);
    const previewed = new Map<string, PreviewedContact>();
    for (const email of rows.keys()) {
      const difference = differences.get(email);
      const fault = faults.get(email);
      if (fault !== undefined) previewed.set(email, { outcome: 'refused', fault });
      else if (difference === undefined) previewed.set(email, UNCHANGED);
      else if (difference === 'changed') previewed.set(email, UPDATED);
      else if (reasons.get(email) !== 'erased') previewed.set(email, { outcome: 'created' });
    }
    return previewed;
  }

  /** Checks the rows that would change a contact. Only rows with attributes depend on those that the contact has. */
  private async findFaults(
    accountId: string,
    rows: Rows,
    differences: ReadonlyMap<string, Difference>,
  ): Promise<Map<string, string>> {
    const emails = [...rows].flatMap(([email, { attributes }]) =>
      attributes && differences.get(email) === 'changed' ? [email] : [],
    );
    const faults = new Map<string, string>();
    for (const part of chunk(emails, CHANGED_AT_A_TIME))
      for (const contact of await this.contacts.findByEmails(accountId, part)) {
        const fault = contact.faultOf(rows.get(contact.normalisedEmail) ?? {});
        if (fault !== null) faults.set(contact.normalisedEmail, fault);
      }
    return faults;
  }

  /** Returns the rows whose contact another transaction has added meanwhile. */
  private async add(accountId: string, rows: Rows, written: Written): Promise<Map<string, ContactRow>> {
    const remaining = new Map(rows);
    if (remaining.size === 0) return remaining;
    const reasons = await this.suppressionList.findReasons(accountId, [...remaining.keys()]);
    for (const [email, reason] of reasons) if (reason === 'erased') remaining.delete(email);
    const now = this.clock.now();
    const contacts: Contact[] = [];
    const slice = new TimeSlice(accountId);
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
        const row = remaining.get(normalisedEmail) ?? {};
        remaining.delete(normalisedEmail);
        const fault = contact.faultOf(row);
        if (fault !== null) {
          written.set(normalisedEmail, { outcome: 'refused', contact: null, fault });
          continue;
        }
        const isChanged = contact.change(row, now);
        written.set(normalisedEmail, isChanged ? UPDATED : UNCHANGED);
        if (isChanged) changed.push(contact);
      }
      await this.contacts.save(accountId, changed);
    }
    return remaining;
  }
}
