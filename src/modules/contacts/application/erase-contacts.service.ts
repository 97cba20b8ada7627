import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { ErasedAddresses } from '../../suppression/index.js';
import { ContactErasures } from './ports/contact-erasures.js';
import { ContactRepository } from './ports/contact.repository.js';

@Injectable()
export class EraseContacts {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly erasedAddresses: ErasedAddresses,
    private readonly contacts: ContactRepository,
    private readonly erasures: ContactErasures,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes the contact and whatever is kept of the person; the address stays suppressed without being known. Once the first
   * transaction is committed nothing can be sent to it or written about it, and a schedule sees to the rest if this fails.
   */
  async erase(accountId: string, id: string): Promise<void> {
    if (!isId(id)) throw DomainError.notFound('Contact');
    await this.transactions.runInLine(accountId, () => this.block(accountId, id));
    const email = await this.erasures.findEmail(accountId, id);
    if (email !== null) await this.erasures.removeTraces(accountId, email);
  }

  /** Once more for what was on its way at the time: accepted but not yet stored, or being sent. */
  async eraseDue(): Promise<void> {
    const now = this.clock.now();
    for (const { accountId, contactId, email } of await this.erasures.listDueAcrossAccounts(now)) {
      const { beingSent } = await this.erasures.removeTraces(accountId, email);
      if (beingSent > 0) await this.erasures.postpone(accountId, contactId, now);
      else await this.erasures.close(accountId, contactId);
    }
  }

  private async block(accountId: string, id: string): Promise<void> {
    // In that order in which others lock them too.
    const contact = await this.contacts.remove(accountId, id);
    await this.erasedAddresses.hold(accountId);
    if (contact) {
      await this.erasedAddresses.suppress(accountId, contact.normalisedEmail, id);
      await this.erasures.open(accountId, id, contact.normalisedEmail, this.clock.now());
    } else if (!(await this.erasedAddresses.knowsContact(accountId, id))) {
      throw DomainError.notFound('Contact');
    }
  }
}
