import { Inject, Injectable } from '@nestjs/common';

import type { RecipientErasure } from '../../../shared/ports/recipient-erasure.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { testAccountIdOf } from '../../../shared/test-account.js';
import { ContactRepository } from '../../contacts/index.js';
import { ErasedAddresses } from '../../suppression/index.js';
import { ErasureRepository, type OpenErasure } from './ports/erasure.repository.js';

/** Token of the erasures of all modules, in the order of RECIPIENT_ERASURE. */
export const RECIPIENT_ERASURES = Symbol('RECIPIENT_ERASURES');

/** The state of a pass: `repeat` if it has ended but left something alone. */
export type PassOutcome = 'unfinished' | 'repeat' | 'complete';

/** Erases what is stored about a person, in the test account too. */
@Injectable()
export class EraseTraces {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly contacts: ContactRepository,
    private readonly erasedAddresses: ErasedAddresses,
    private readonly erasures: ErasureRepository,
    @Inject(RECIPIENT_ERASURES) private readonly recipientErasures: readonly RecipientErasure[],
  ) {}

  /** Continues the pass of the erasure by at most `maxParts` parts, and stores the progress after each. */
  async continuePass({ accountId, contactId, email, progress }: OpenErasure, maxParts: number): Promise<PassOutcome> {
    const owners = [accountId, testAccountIdOf(accountId)];
    let { step, after, mustRepeat } = progress;
    for (let parts = 0; parts < maxParts; parts++) {
      const erasure = this.recipientErasures[Math.floor(step / owners.length)];
      const owner = owners[step % owners.length];
      if (!erasure || owner === undefined) {
        await this.removeFromTestAccount(testAccountIdOf(accountId), email);
        return mustRepeat ? 'repeat' : 'complete';
      }
      const { next, hasSkipped } = await erasure.erasePart(owner, email, after);
      [step, after, mustRepeat] = [next === null ? step + 1 : step, next ?? '', mustRepeat || hasSkipped];
      await this.erasures.saveProgress(accountId, contactId, { step, after, mustRepeat });
    }
    return 'unfinished';
  }

  /** Nothing is sent to the address from there, so it need not stay suppressed. */
  private removeFromTestAccount(testAccountId: string, email: string): Promise<void> {
    return this.transactions.runInLane(testAccountId, async () => {
      const contacts = await this.contacts.findByEmails(testAccountId, [email], 'lock');
      for (const { id } of contacts) await this.contacts.remove(testAccountId, id);
      await this.erasedAddresses.forget(testAccountId, email);
    });
  }
}
