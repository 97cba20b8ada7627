import { Injectable } from '@nestjs/common';

import type { OptOutPage } from '../../../providers/index.js';
import { normalisePhone } from '../../../shared/phone-number.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { LiftSuppressions, SuppressAddresses } from '../../suppression/index.js';
import type { SyncPass } from './ports/opt-out-sync.repository.js';
import { OptedOutNumbers } from './ports/opted-out-numbers.js';

/** Applies the provider's opt-out list to the suppressions. Each step commits together with its progress. */
@Injectable()
export class ApplyOptOuts {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly optedOut: OptedOutNumbers,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly liftSuppressions: LiftSuppressions,
  ) {}

  /** Suppresses the numbers on the page, also those lifted by hand: the provider delivers nothing to them. */
  async applyPage(pass: SyncPass, page: OptOutPage): Promise<void> {
    const { accountId } = pass;
    const numbers = [...new Set(page.numbers.flatMap((number) => normalisePhone(number) ?? []))];
    const cause = { accountId, channel: 'sms', reason: 'sms_opt_out', source: 'sms_sync' } as const;
    await this.transactions.run(async () => {
      const added = await this.suppressAddresses.suppress(numbers.map((address) => ({ ...cause, address })));
      const applied = { numbers, nextToken: page.nextToken, added: added.length };
      await this.optedOut.recordPage(pass, applied);
    });
  }

  /**
   * Lifts the suppressions of the numbers that are `gone` from the list if only the sync added them. Numbers that are
   * still `listed` are treated like those of a page.
   */
  applyMissing(pass: SyncPass, { gone, listed }: { gone: string[]; listed: string[] }): Promise<void> {
    return this.transactions.run(async () => {
      await this.applyPage(pass, { numbers: listed, nextToken: null });
      await this.optedOut.removeMissing(pass, gone);
      await this.liftSuppressions.liftSynced(pass.accountId, gone);
    });
  }
}
