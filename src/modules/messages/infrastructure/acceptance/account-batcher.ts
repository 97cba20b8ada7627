import { isLockTimeout } from '../../../../platform/database/postgres-errors.js';
import { Batcher, type BatcherOptions } from '../../../../shared/batcher.js';
import { KeyedBatcher } from '../../../../shared/keyed-batcher.js';
import { shareOf } from '../../../../shared/share-of.js';
import type { Locking } from './accept.sql.js';
import { retryWhileLocked } from './retry-while-locked.js';

/** The result of a call that was left out because another transaction has locked the counters of its account. */
export const LOCKED = Symbol('locked');

/**
 * The result is LOCKED only with `skip`. Because of a lock, `waitBriefly` may fail as a whole, and `waitOneTurn` also
 * for some of the inputs; then nothing is stored for them.
 */
type Write<In, Out> = (inputs: In[], locking: Locking) => Promise<(Out | Error | typeof LOCKED)[]>;

/** For the calls of a batch that are tried again: with `waitBriefly`, only a whole batch may fail because of a lock. */
export const retryLocking = (locking: Locking): Locking => (locking === 'waitBriefly' ? 'skip' : locking);

/** The share of the connection pool that may wait for locks, each connection for one account. */
const LOCKED_SHARE = 1 / 5;

/**
 * Batches the calls of all accounts together. Other processes lock the same counters for a few milliseconds, which a
 * batch waits for. Calls of an account whose counters are locked for longer, as by a large batch of its own, wait among
 * themselves until none is left, so that no other account waits with them. Locked accounts take short turns, so that
 * one whose counters are free again does not wait for those that stay locked.
 */
export class AccountBatcher<In, Out> {
  private readonly shared: Batcher<In, Out | typeof LOCKED>;
  private readonly locked: KeyedBatcher<In, Out>;

  constructor(
    private readonly accountOf: (input: In) => string,
    write: Write<In, Out>,
    { poolSize, ...options }: Omit<BatcherOptions<In>, 'withPermit'> & { poolSize: number },
  ) {
    this.shared = new Batcher(async (inputs) => {
      try {
        return await write(inputs, 'waitBriefly');
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        return write(inputs, 'skip');
      }
    }, options);
    this.locked = new KeyedBatcher((inputs) => write(inputs, 'waitOneTurn') as Promise<(Out | Error)[]>, {
      ...options,
      concurrency: shareOf(poolSize, LOCKED_SHARE),
    });
  }

  async add(input: In): Promise<Out> {
    const account = this.accountOf(input);
    if (!this.locked.has(account)) {
      const result = await this.shared.add(input);
      if (result !== LOCKED) return result;
    }
    return retryWhileLocked(() => this.locked.add(account, input));
  }
}
