import { Injectable } from '@nestjs/common';

import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AddressToSuppress, Suppression } from '../domain/suppression.js';
import { SuppressionIntake } from './ports/suppression-intake.js';
import { WriteSuppressions } from './write-suppressions.service.js';

/** The one way onto the list, whatever the cause. */
@Injectable()
export class SuppressAddresses {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly intake: SuppressionIntake,
    private readonly writeSuppressions: WriteSuppressions,
  ) {}

  /**
   * Adds an entry for each address that has none and writes one event for it, in the running transaction, or in one that
   * calls of the account share. An address that stood already keeps its entry, at most with a cause that tells more: the
   * event of that is written then. Of concurrent calls one adds. What is no address of its channel is left out: nothing can
   * be sent to it. Returns the entries that were added.
   */
  async suppress(addresses: readonly AddressToSuppress[]): Promise<Suppression[]> {
    const [first] = addresses;
    if (!first) return [];
    const isOfOne = addresses.every(({ accountId }) => accountId === first.accountId);
    if (this.transactions.isRunning || !isOfOne) return [...(await this.writeSuppressions.write(addresses)).values()];
    return this.intake.take(first.accountId, addresses);
  }
}
