import { isLockTimeout, POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher, type BatcherOptions } from '../../../../shared/batcher.js';
import { KeyedBatcher } from '../../../../shared/keyed-batcher.js';
import { retryWhileLocked } from '../../../../shared/retry-while-locked.js';
import { shareOf } from '../../../../shared/share-of.js';
import type { Locking } from './accept.sql.js';

/** The result of a call that was left out because another transaction has locked the counters of its account. */
export const LOCKED = Symbol('locked');

/**
 * The result is LOCKED only with `skip`. Because of a lock, `waitBriefly` may fail as a whole, and `waitOneTurn` also
 * for some of the inputs; then nothing is stored for them.
 */
type Write<In, Out> = (inputs: In[], locking: Locking) => Promise<(Out | Error | typeof LOCKED)[]>;

/** For the calls of a batch that are tried again: with `waitBriefly`, only a whole batch may fail because of a lock. */
export const retryLocking = (locking: Locking): Locking => (locking === 'waitBriefly' ? 'skip' : locking);

/** The share of the connection pool for calls that are not written with those of others, one connection an account. */
const OWN_SHARE = 1 / 5;
/** In characters or bytes, as `sizeOf` counts them. */
const LONG = 20_000;
/** Of one account in the batches of all: written within about ten milliseconds. */
const MAX_LONG_SHARED = 200_000;

/**
 * Batches the calls of all accounts together. Other processes lock the same counters for a few milliseconds, which a
 * batch waits for. Calls of an account whose counters are locked for longer, as by a large batch of its own, wait among
 * themselves until none is left, so that no other account waits with them. Locked accounts take short turns, so that
 * one whose counters are free again does not wait for those that stay locked. In the same way wait the calls of an
 * account that together take long to write, because of their contents.
 */
export class AccountBatcher<In, Out> {
  private readonly shared: Batcher<In, Out | typeof LOCKED>;
  private readonly own: KeyedBatcher<In, Out>;
  private readonly sizeOf: (input: In) => number;
  /** By account, the size of its long calls in the batches of all. */
  private readonly longShared = new Map<string, number>();

  constructor(
    private readonly accountOf: (input: In) => string,
    write: Write<In, Out>,
    {
      poolSize,
      ...options
    }: Omit<BatcherOptions<In>, 'withPermit' | 'sizeOf'> & {
      poolSize: number;
      sizeOf: (input: In) => number;
    },
  ) {
    this.sizeOf = options.sizeOf;
    this.shared = new Batcher(async (inputs) => {
      try {
        return await write(inputs, 'waitBriefly');
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        return write(inputs, 'skip');
      }
    }, options);
    this.own = new KeyedBatcher((inputs) => write(inputs, 'waitOneTurn') as Promise<(Out | Error)[]>, {
      ...options,
      concurrency: shareOf(poolSize, OWN_SHARE),
    });
  }

  async add(input: In): Promise<Out> {
    const account = this.accountOf(input);
    const size = this.sizeOf(input);
    if (!this.own.has(account)) {
      const result = size > LONG ? await this.addLong(account, input, size) : await this.shared.add(input);
      if (result !== LOCKED) return result;
    }
    return retryWhileLocked(POSTGRES_FAULTS, () => this.own.add(account, input));
  }

  /** LOCKED without a try if the account has too many long calls in the batches of all. */
  private async addLong(account: string, input: In, size: number): Promise<Out | typeof LOCKED> {
    const others = this.longShared.get(account) ?? 0;
    if (others + size > MAX_LONG_SHARED) return LOCKED;
    this.longShared.set(account, others + size);
    try {
      return await this.shared.add(input);
    } finally {
      const left = (this.longShared.get(account) ?? 0) - size;
      if (left > 0) this.longShared.set(account, left);
      else this.longShared.delete(account);
    }
  }
}
