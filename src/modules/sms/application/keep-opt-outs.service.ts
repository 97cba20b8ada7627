import { Injectable } from '@nestjs/common';

import { normalisePhone } from '../../../shared/phone-number.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { LiftSuppressions, SuppressAddresses } from '../../suppression/index.js';
import { OptOutProgress, type OptOutReading, type OptOutSync } from './ports/opt-out-progress.js';
import type { OptOutPage } from './ports/sms-account-gateway.js';

/** What follows from the provider's opt-out list, each step with the progress in one transaction. */
@Injectable()
export class KeepOptOuts {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly progress: OptOutProgress,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly liftSuppressions: LiftSuppressions,
    private readonly clock: Clock,
  ) {}

  /** Suppresses whoever is on the page and not suppressed, also where that was lifted: the provider delivers nothing to them. */
  async keepPage(reading: OptOutReading, page: OptOutPage): Promise<void> {
    const { accountId } = reading;
    const numbers = [...new Set(page.numbers.flatMap((number) => normalisePhone(number) ?? []))];
    const cause = { accountId, channel: 'sms', reason: 'sms_opt_out', source: 'sms_sync' } as const;
    await this.transactions.run(async () => {
      const added = await this.suppressAddresses.suppress(numbers.map((address) => ({ ...cause, address })));
      const told = { numbers, nextToken: page.nextToken, added: added.length };
      await this.progress.recordPage(reading, told, this.clock.now());
    });
  }

  /** Lifts what only the sync suppressed of those who are `gone`; who is `listed` still is kept as if a page had said so. */
  settle(reading: OptOutReading, { gone, listed }: { gone: string[]; listed: string[] }): Promise<void> {
    return this.transactions.run(async () => {
      await this.keepPage(reading, { numbers: listed, nextToken: null });
      await this.progress.forget(reading, gone);
      await this.liftSuppressions.liftSynced(reading.accountId, gone);
    });
  }

  complete(reading: OptOutReading): Promise<OptOutSync> {
    return this.progress.complete(reading, this.clock.now());
  }
}
