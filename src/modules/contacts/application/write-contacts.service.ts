import { Injectable } from '@nestjs/common';

import { newId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SuppressAddresses, SuppressionList } from '../../suppression/index.js';
import { Contact, type ContactRow } from '../domain/contact.js';
import { statusOf } from '../domain/status-of.js';
import { ContactRepository } from './ports/contact.repository.js';
import { ContactTurns } from './ports/contact-turns.js';

/** Who writes contacts, as suppressions that follow from it tell. */
export type ContactSource = 'api' | 'dashboard' | 'import';

export interface WrittenContact {
  contact: Contact;
  outcome: 'created' | 'updated' | 'unchanged';
}

/** Contacts by their address: the one way in which they come and change together. */
@Injectable()
export class WriteContacts {
  constructor(
    private readonly turns: ContactTurns,
    private readonly contacts: ContactRepository,
    private readonly suppressionList: SuppressionList,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /** Of what follows until the transaction ends: its lists stand until then. */
  takeTurn(accountId: string): Promise<void> {
    return this.turns.toUseLists(accountId);
  }

  /**
   * Adds or changes the contact of each row in the running transaction, after `takeTurn` and as the last that takes long
   * in it: from its end on suppressions of the account wait for the commit. A new contact has the status of
   * its address, whatever the row says; `unsubscribed` suppresses. Rows and answers are by normalised address; one whose
   * contact was erased is left out.
   */
  async write(
    accountId: string,
    rows: ReadonlyMap<string, ContactRow>,
    source: ContactSource,
  ): Promise<Map<string, WrittenContact>> {
    const written = new Map<string, WrittenContact>();
    let left = new Map(rows);
    // What somebody else added meanwhile is there to change in the next round.
    while (left.size > 0) {
      const known = await this.contacts.findByEmails(accountId, [...left.keys()]);
      const stale = this.compare(known, left, written);
      for (const { normalisedEmail } of known) left.delete(normalisedEmail);
      left = await this.add(accountId, left, written);
      await this.change(accountId, stale, left, written);
    }
    await this.unsubscribe(accountId, rows, written, source);
    await this.follow(accountId, rows, written);
    return written;
  }

  /** The rows that would change their contact. Those that would not are done: they need no lock. */
  private compare(
    known: readonly Contact[],
    rows: ReadonlyMap<string, ContactRow>,
    written: Map<string, WrittenContact>,
  ): Map<string, ContactRow> {
    const stale = new Map<string, ContactRow>();
    const now = this.clock.now();
    for (const contact of known) {
      const row = rows.get(contact.normalisedEmail);
      if (!row) continue;
      if (contact.change(row, now)) stale.set(contact.normalisedEmail, row);
      else written.set(contact.normalisedEmail, { contact, outcome: 'unchanged' });
    }
    return stale;
  }

  /** The rows whose address somebody else added meanwhile. */
  private async add(
    accountId: string,
    rows: Map<string, ContactRow>,
    written: Map<string, WrittenContact>,
  ): Promise<Map<string, ContactRow>> {
    if (rows.size === 0) return rows;
    const reasons = await this.suppressionList.reasons(accountId, [...rows.keys()]);
    for (const [email, reason] of reasons) if (reason === 'erased') rows.delete(email);
    const now = this.clock.now();
    const contacts = [...rows].map(([email, row]) =>
      Contact.create(newId(now), accountId, row, statusOf(reasons.get(email)), now),
    );
    const added = await this.contacts.addAbsent(accountId, contacts);
    for (const contact of contacts) {
      if (!added.has(contact.id)) continue;
      written.set(contact.normalisedEmail, { contact, outcome: 'created' });
      rows.delete(contact.normalisedEmail);
    }
    return rows;
  }

  /** Compared again under lock; those that are gone by then are `left` to be added. */
  private async change(
    accountId: string,
    stale: Map<string, ContactRow>,
    left: Map<string, ContactRow>,
    written: Map<string, WrittenContact>,
  ): Promise<void> {
    if (stale.size === 0) return;
    const locked = await this.contacts.findByEmails(accountId, [...stale.keys()], 'lock');
    const changed: Contact[] = [];
    const now = this.clock.now();
    for (const contact of locked) {
      const { normalisedEmail } = contact;
      const isChanged = contact.change(stale.get(normalisedEmail) ?? {}, now);
      written.set(normalisedEmail, { contact, outcome: isChanged ? 'updated' : 'unchanged' });
      if (isChanged) changed.push(contact);
      stale.delete(normalisedEmail);
    }
    await this.contacts.save(accountId, changed);
    for (const [email, row] of stale) left.set(email, row);
  }

  /** What was suppressed, lifted or erased since the reasons were read. From here on nobody does so until the commit. */
  private async follow(
    accountId: string,
    rows: ReadonlyMap<string, ContactRow>,
    written: Map<string, WrittenContact>,
  ): Promise<void> {
    const added = [...written.values()].flatMap(({ contact, outcome }) => (outcome === 'created' ? [contact] : []));
    if (added.length === 0) return;
    await this.turns.toFollow(accountId);
    const emails = added.map(({ normalisedEmail }) => normalisedEmail);
    const reasons = await this.suppressionList.reasons(accountId, emails);
    const stale: Contact[] = [];
    for (const contact of added) {
      const { normalisedEmail } = contact;
      const reason = reasons.get(normalisedEmail);
      if (reason === 'erased') {
        await this.contacts.remove(accountId, contact.id);
        written.delete(normalisedEmail);
        continue;
      }
      const status = reason === undefined ? (rows.get(normalisedEmail)?.status ?? 'active') : statusOf(reason);
      if (contact.status !== status) stale.push(Object.assign(contact, { status }));
    }
    await this.contacts.save(accountId, stale);
  }

  private async unsubscribe(
    accountId: string,
    rows: ReadonlyMap<string, ContactRow>,
    written: ReadonlyMap<string, WrittenContact>,
    source: ContactSource,
  ): Promise<void> {
    const addresses = [...rows]
      .filter(([email, { status }]) => status === 'unsubscribed' && written.get(email)?.outcome !== 'unchanged')
      .map(([email]) => email);
    if (addresses.length === 0) return;
    const cause = { accountId, channel: 'email', reason: 'unsubscribed', source } as const;
    await this.suppressAddresses.suppress(addresses.map((address) => ({ ...cause, address })));
  }
}
