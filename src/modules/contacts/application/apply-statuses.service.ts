import { Injectable } from '@nestjs/common';

import type { Actor } from '../../../shared/actor.js';
import { chunk } from '../../../shared/collections.js';
import { RestoreConsents } from '../../consent/index.js';
import { type AddressToSuppress, SuppressAddresses, SuppressionList } from '../../suppression/index.js';
import { type Contact, type ContactRow, statusForReason } from '../domain/contact.js';
import { ContactLocks } from './ports/contact-locks.js';
import { ContactRepository } from './ports/contact.repository.js';

const SUPPRESSED_AT_A_TIME = 1_000;

type ContactSource = 'api' | 'dashboard' | 'import' | 'form';

/** Becomes the origin of suppressions and withdrawn consents that result from writing contacts. */
export interface ContactOrigin {
  source: ContactSource;
  actor: Actor;
}

/** Contacts that existed before are not kept: thousands of them may take a hundred megabytes. */
export type WrittenContact =
  | { outcome: 'created'; contact: Contact }
  | { outcome: 'updated' | 'unchanged'; contact: null }
  /** The contact stays as it is: merged with the contact's own fields, the row is not valid. */
  | { outcome: 'refused'; contact: null; fault: string };

/** Rows by normalised address. */
export type Rows = ReadonlyMap<string, ContactRow>;
export type Written = Map<string, WrittenContact>;

/** Keeps suppressions, consents and the statuses of written contacts consistent. */
@Injectable()
export class ApplyStatuses {
  constructor(
    private readonly locks: ContactLocks,
    private readonly contacts: ContactRepository,
    private readonly suppressionList: SuppressionList,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly consents: RestoreConsents,
  ) {}

  /** Call it in the transaction that has written the contacts. */
  async apply(accountId: string, rows: Rows, written: Written, origin: ContactOrigin): Promise<void> {
    await this.unsubscribe(accountId, rows, written, origin);
    await this.applySuppressions(accountId, rows, written);
  }

  /** Contacts that were already unsubscribed need no lock: only their consent is withdrawn. */
  private async unsubscribe(
    accountId: string,
    rows: Rows,
    written: Written,
    { source, actor }: ContactOrigin,
  ): Promise<void> {
    const cause = { accountId, channel: 'email', reason: 'unsubscribed', source, actor } as const;
    const changed: AddressToSuppress[] = [];
    const unchanged: AddressToSuppress[] = [];
    for (const [key, { email: address, status }] of rows) {
      const outcome = status === 'unsubscribed' ? written.get(key)?.outcome : undefined;
      if (outcome === undefined || outcome === 'refused') continue;
      (outcome === 'unchanged' ? unchanged : changed).push({ ...cause, address });
    }
    for (const part of chunk(changed, SUPPRESSED_AT_A_TIME)) await this.suppressAddresses.suppress(part);
    for (const part of chunk(unchanged, SUPPRESSED_AT_A_TIME)) await this.suppressAddresses.withdraw(part);
  }

  /**
   * Applies to new contacts what was suppressed, lifted or erased since the reasons were read. From here on
   * suppressions do not change until the commit. Restores the consents of people who were erased before.
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
    const kept = emails.filter((email) => written.has(email));
    if (kept.length > 0) await this.consents.restoreErased(accountId, kept);
  }
}
