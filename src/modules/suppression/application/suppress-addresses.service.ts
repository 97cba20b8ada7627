import { Injectable } from '@nestjs/common';

import { KeyedBatcher } from '../../../shared/keyed-batcher.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { LOCK_TURN_MS, MAX_LOCKED_IN_STATEMENT_MS, retryWhileLocked } from '../../../shared/retry-while-locked.js';
import type { AddressToSuppress, Suppression } from '../domain/suppression.js';
import { WriteSuppressions } from './write-suppressions.service.js';

const MAX_ADDRESSES = 1_000;
/** Each batch takes a connection. */
const MAX_CONCURRENT_BATCHES = 4;

/** Suppresses addresses, whatever the cause. All suppressions are added here, except those of erased contacts. */
@Injectable()
export class SuppressAddresses {
  /** However many recipients of an account unsubscribe at once, they take one connection. */
  private readonly batches: KeyedBatcher<readonly AddressToSuppress[], Suppression[]>;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly writeSuppressions: WriteSuppressions,
    private readonly faults: DatabaseFaults,
  ) {
    this.batches = new KeyedBatcher((calls) => this.writeBatch(calls), {
      maxSize: MAX_ADDRESSES,
      sizeOf: (addresses) => addresses.length,
      concurrency: MAX_CONCURRENT_BATCHES,
      faults,
    });
  }

  /**
   * Adds an entry, and an event, for each address that has none: in the current transaction, or else in one that
   * concurrent calls of the account share. An existing entry stays, unless the new cause takes precedence; then it gets
   * that cause, and an event. Of concurrent calls one adds the entry. Ignores addresses that are not valid in their
   * channel, because nothing can be sent to them. Returns the entries that were added.
   */
  async suppress(addresses: readonly AddressToSuppress[]): Promise<Suppression[]> {
    const [first] = addresses;
    if (!first) return [];
    const isOneAccount = addresses.every(({ accountId }) => accountId === first.accountId);
    if (this.transactions.isRunning || !isOneAccount)
      return [...(await this.writeSuppressions.write(addresses)).values()];
    return retryWhileLocked(
      this.faults,
      () => this.batches.add(first.accountId, addresses),
      MAX_LOCKED_IN_STATEMENT_MS,
    );
  }

  /** Waits for locks for one turn at most, so that locked accounts do not keep the permits from the others. */
  private async writeBatch(calls: readonly (readonly AddressToSuppress[])[]): Promise<Suppression[][]> {
    const write = () => this.writeSuppressions.write(calls.flat());
    const added = await this.transactions.run(write, { maxLockWaitMs: LOCK_TURN_MS });
    return calls.map((causes) => causes.flatMap((cause) => added.get(cause) ?? []));
  }
}
