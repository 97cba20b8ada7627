import { isLockTimeout, POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher, type BatcherOptions } from '../../../../concurrency/batcher.js';
import { KeyedBatcher } from '../../../../concurrency/keyed-batcher.js';
import { LOCK_WAIT_MS, retryWhileLocked } from '../../../../concurrency/retry.js';
import { Limiter, type Release, shareOf } from '../../../../concurrency/limiter.js';

/** Longer than any short statement of another process holds the lock. */
const SHARED_LOCK_WAIT_MS = 100;
/** Share of the connection pool for accounts that are written separately, one connection each. */
const OWN_SHARE = 1 / 5;
/** Calls of more than this size are long, in characters or bytes as `sizeOf` counts them. */
const LONG = 20_000;
/** Largest sum of the long calls that one account may have in shared batches: written within about ten milliseconds. */
const MAX_LONG_SHARED = 200_000;

interface Options<In, Out> extends Omit<BatcherOptions<In>, 'withPermit' | 'sizeOf'> {
  accountOf: (input: In) => string;
  sizeOf: (input: In) => number;
  /**
   * Fails if it waits for a lock for longer than `lockWaitMs`, as a whole or for some of the inputs, which are not
   * stored then.
   */
  write: (inputs: In[], lockWaitMs: number) => Promise<(Out | Error)[]>;
  /** Returns the inputs whose counters no other transaction has locked. */
  findFree: (inputs: readonly In[]) => Promise<ReadonlySet<In>>;
  poolSize: number;
}

/**
 * Batches the calls of all accounts together. Other processes lock the same counters for a few milliseconds, which a
 * batch waits for. If it takes longer, for instance because of a large batch of an account, the calls of the accounts
 * whose counters are locked are written separately, and all further ones of these accounts until none is left. Locked
 * accounts take short turns, so that one whose counters are free again does not wait for those that stay locked. The
 * calls of an account are also written separately if together they take long to write, because of their contents.
 */
export class AccountBatcher<In, Out> {
  private readonly shared: Batcher<In, Out>;
  private readonly own: KeyedBatcher<In, Out>;
  /** Limits each account's long calls in shared batches. */
  private readonly longShared = new Limiter({ perKey: MAX_LONG_SHARED });

  constructor(private readonly options: Options<In, Out>) {
    const { write, poolSize } = options;
    this.shared = new Batcher((inputs) => this.writeShared(inputs), options);
    const concurrency = shareOf(poolSize, OWN_SHARE);
    this.own = new KeyedBatcher((inputs) => write(inputs, LOCK_WAIT_MS), { ...options, concurrency });
  }

  async add(input: In): Promise<Out> {
    const account = this.options.accountOf(input);
    const release = this.own.has(account) ? null : this.share(account, this.options.sizeOf(input));
    if (release) {
      try {
        return await this.shared.add(input);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
      } finally {
        release();
      }
    }
    return retryWhileLocked(POSTGRES_FAULTS, () => this.own.add(account, input));
  }

  /** The calls of free accounts do not wait for those of locked ones. */
  private async writeShared(inputs: In[]): Promise<(Out | Error)[]> {
    const { write, findFree } = this.options;
    try {
      return await write(inputs, SHARED_LOCK_WAIT_MS);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const free = await findFree(inputs);
      const written = free.size === 0 ? [] : await write([...free], SHARED_LOCK_WAIT_MS);
      const results = new Map([...free].map((input, i) => [input, written[i]]));
      return inputs.map((input) => results.get(input) ?? (error as Error));
    }
  }

  /** Null if the account has too much in shared batches. */
  private share(account: string, size: number): Release | null {
    if (size <= LONG) return UNLIMITED;
    return size > MAX_LONG_SHARED ? null : this.longShared.tryAcquire(account, size);
  }
}

const UNLIMITED: Release = () => undefined;
