import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { ErasedAddresses } from '../../suppression/index.js';
import { ContactErasures } from './ports/contact-erasures.js';
import { ContactRepository } from './ports/contact.repository.js';

@Injectable()
export class EraseContacts {
  private readonly logger = new Logger(EraseContacts.name);

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
    await this.transactions.runInLane(accountId, () => this.block(accountId, id));
    const email = await this.erasures.findEmail(accountId, id);
    if (email !== null) await this.erasures.removeTraces(accountId, email);
  }

  /** Once more for what was on its way at the time: accepted but not yet stored, or being sent. One that fails holds up no other. */
  async eraseDue(): Promise<void> {
    const now = this.clock.now();
    for (const { accountId, contactId } of await this.erasures.listDueAcrossAccounts(now)) {
      try {
        await this.eraseAgain(accountId, contactId, now);
      } catch (error) {
        this.logger.error(`The contact ${contactId} was not erased once more: ${(error as Error).message}`);
        await this.erasures.postpone(accountId, contactId, now);
      }
    }
  }

  private async eraseAgain(accountId: string, contactId: string, now: Date): Promise<void> {
    const email = await this.erasures.findEmail(accountId, contactId);
    if (email === null) return;
    const { beingSent } = await this.erasures.removeTraces(accountId, email);
    if (beingSent > 0) await this.erasures.postpone(accountId, contactId, now);
    else await this.erasures.close(accountId, contactId);
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
