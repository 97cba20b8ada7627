import { Inject, Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import { ContactRepository } from '../../contacts/index.js';
import { ErasedAddresses } from '../../suppression/index.js';
import { ErasureRepository } from './ports/erasure.repository.js';

/** Token of the erasures of all modules, in order. */
export const RECIPIENT_ERASURES = Symbol('RECIPIENT_ERASURES');

@Injectable()
export class EraseContacts {
  private readonly logger = new Logger(EraseContacts.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly contacts: ContactRepository,
    private readonly erasedAddresses: ErasedAddresses,
    private readonly erasures: ErasureRepository,
    @Inject(RECIPIENT_ERASURES) private readonly recipientErasures: readonly RecipientErasure[],
    private readonly clock: Clock,
  ) {}

  /**
   * Removes the contact and everything stored about the person, in the test account too; the address stays suppressed
   * as a hash. Once the first
   * transaction has committed, nothing can be sent to the address or stored about it, and the schedule completes the
   * erasure if the second transaction fails.
   */
  async erase(accountId: string, id: string): Promise<void> {
    if (!isId(id)) throw DomainError.notFound('Contact');
    await this.transactions.runInLane(accountId, () => this.block(accountId, id));
    const email = await this.erasures.findEmail(accountId, id);
    if (email !== null) await this.transactions.runInLane(accountId, () => this.removeTraces(accountId, email));
  }

  /**
   * Erases again what was in progress the first time: messages accepted but not yet stored, or being sent. An erasure
   * that fails does not hold up the others.
   */
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
    const beingSent = await this.transactions.run(() => this.removeTraces(accountId, email));
    if (beingSent > 0) await this.erasures.postpone(accountId, contactId, now);
    else await this.erasures.close(accountId, contactId);
  }

  /** Locks in the same order as other writers of contacts and suppressions. */
  private async block(accountId: string, id: string): Promise<void> {
    const contact = await this.contacts.remove(accountId, id);
    await this.erasedAddresses.lock(accountId);
    if (contact) {
      await this.erasedAddresses.suppress(accountId, contact.normalisedEmail, id);
      await this.erasures.open(accountId, id, contact.normalisedEmail, this.clock.now());
    } else if (!(await this.erasedAddresses.isErasedContact(accountId, id))) {
      throw DomainError.notFound('Contact');
    }
  }

  /** In the current transaction. */
  private async removeTraces(accountId: string, email: string): Promise<number> {
    let beingSent = 0;
    for (const owner of [accountId, testAccountIdOf(accountId)])
      for (const erasure of this.recipientErasures) beingSent += await erasure.erase(owner, email);
    await this.removeFromTestAccount(testAccountIdOf(accountId), email);
    return beingSent;
  }

  /** Nothing is sent to the address from there, so it need not stay suppressed. */
  private async removeFromTestAccount(testAccountId: string, email: string): Promise<void> {
    const contacts = await this.contacts.findByEmails(testAccountId, [email], 'lock');
    for (const { id } of contacts) await this.contacts.remove(testAccountId, id);
    await this.erasedAddresses.forget(testAccountId, email);
  }
}
