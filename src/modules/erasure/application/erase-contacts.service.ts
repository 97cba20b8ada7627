import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { ContactRepository } from '../../contacts/index.js';
import { ErasedAddresses } from '../../suppression/index.js';
import { EraseTraces } from './erase-traces.service.js';
import { ErasureRepository, type OpenErasure } from './ports/erasure.repository.js';

/** Work in progress during a pass, such as the acceptance of a message, is found by the next one. */
const REPEAT_AFTER_MS = 600_000;
/** More than most people need: one or two for each module and account. The schedule continues with the others. */
const PARTS_PER_REQUEST = 20;
/** Other erasures that are due get their turn in between. */
const PARTS_PER_RUN = 200;

@Injectable()
export class EraseContacts {
  private readonly logger = new Logger(EraseContacts.name);

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly contacts: ContactRepository,
    private readonly erasedAddresses: ErasedAddresses,
    private readonly erasures: ErasureRepository,
    private readonly eraseTraces: EraseTraces,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes the contact and everything stored about the person, in the test account too; the address stays suppressed
   * as a hash. Once the first transaction has committed, nothing can be sent to the address or stored about it. Parts
   * that take longer than a request may, or fail, are erased by the schedule.
   */
  async erase(accountId: string, id: string): Promise<void> {
    if (!isId(id)) throw DomainError.notFound('Contact');
    await this.transactions.runInLane(accountId, () => this.block(accountId, id));
    const erasure = await this.erasures.find(accountId, id);
    if (erasure === null) return;
    // Not the last pass, however often the request is repeated: it may be too early for that.
    const progress = { ...erasure.progress, mustRepeat: true };
    await this.continueErasure({ ...erasure, progress }, PARTS_PER_REQUEST, this.clock.now());
  }

  /**
   * Continues the erasures that are due, and repeats those that left alone what was in progress: messages accepted but
   * not yet stored, or being sent. An erasure that fails does not hold up the others.
   */
  async eraseDue(): Promise<void> {
    const now = this.clock.now();
    for (const { accountId, contactId } of await this.erasures.listDueAcrossAccounts(now)) {
      try {
        const erasure = await this.erasures.find(accountId, contactId);
        if (erasure) await this.continueErasure(erasure, PARTS_PER_RUN, now);
      } catch (error) {
        this.logger.error(`The contact ${contactId} was not erased once more: ${(error as Error).message}`);
        await this.erasures.setDue(accountId, contactId, repeatedAfter(now));
      }
    }
  }

  private async continueErasure(erasure: OpenErasure, maxParts: number, now: Date): Promise<void> {
    const { accountId, contactId } = erasure;
    switch (await this.eraseTraces.continuePass(erasure, maxParts)) {
      case 'unfinished':
        return this.erasures.setDue(accountId, contactId, now);
      case 'repeat':
        await this.erasures.saveProgress(accountId, contactId, { step: 0, after: '', mustRepeat: false });
        return this.erasures.setDue(accountId, contactId, repeatedAfter(now));
      case 'complete':
        return this.erasures.close(accountId, contactId);
    }
  }

  /** Locks in the same order as other writers of contacts and suppressions. */
  private async block(accountId: string, id: string): Promise<void> {
    const contact = await this.contacts.remove(accountId, id);
    await this.erasedAddresses.lock(accountId);
    if (contact) {
      await this.erasedAddresses.suppress(accountId, contact.normalisedEmail, id);
      await this.erasures.open(accountId, id, contact.normalisedEmail, repeatedAfter(this.clock.now()));
    } else if (!(await this.erasedAddresses.isErasedContact(accountId, id))) {
      throw DomainError.notFound('Contact');
    }
  }
}

const repeatedAfter = (now: Date): Date => new Date(now.getTime() + REPEAT_AFTER_MS);
