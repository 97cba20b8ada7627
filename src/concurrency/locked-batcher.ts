import type { DatabaseFaults } from '../shared/ports/database-faults.js';
import type { TransactionRunner } from '../shared/ports/transaction-runner.js';
import { KeyedBatcher } from './keyed-batcher.js';
import { LOCK_WAIT_MS, MAX_LOCKED_IN_STATEMENT_MS, retryWhileLocked } from './retry.js';

/** Each batch takes a connection. */
const MAX_CONCURRENT_BATCHES = 4;

export interface LockedBatcherOptions<In> {
  transactions: TransactionRunner;
  faults: DatabaseFaults;
  maxSize: number;
  sizeOf?: (input: In) => number;
}

/**
 * Writes concurrent calls of an account in one transaction, which waits for the locks of the account: however many
 * there are, they take one connection. It waits LOCK_WAIT_MS at most, so that locked accounts do not keep the permits
 * from the others, and is repeated for as long as any statement may take. If it times out, its calls are written one by
 * one, so that a row that stays locked fails only the calls that need it; after two
 * more time-outs the rest is repeated.
 */
export class LockedBatcher<In, Out> {
  private readonly batches: KeyedBatcher<In, Out>;

  constructor(
    write: (inputs: In[]) => Promise<(Out | Error)[]>,
    private readonly options: LockedBatcherOptions<In>,
  ) {
    const { transactions, faults, ...limits } = options;
    this.batches = new KeyedBatcher(
      (inputs) => transactions.run(() => write(inputs), { maxLockWaitMs: LOCK_WAIT_MS }),
      {
        ...limits,
        faults: {
          isRowFault: (error) => faults.isRowFault(error),
          isTimedOut: (error) => faults.isTimedOut(error) || faults.isLockTimeout(error),
          isOutOfReach: (error) => faults.isOutOfReach(error),
        },
        concurrency: MAX_CONCURRENT_BATCHES,
      },
    );
  }

  /** Call it outside of transactions. */
  add(accountId: string, input: In): Promise<Out> {
    return retryWhileLocked(this.options.faults, () => this.batches.add(accountId, input), MAX_LOCKED_IN_STATEMENT_MS);
  }
}
