import { ByteBudget, type ReleaseBytes } from './byte-budget.js';

interface Sizes {
  total: number;
  perKey: number;
  /** Bytes that slow work uses besides the total. */
  slow: number;
  /** Work is slow if it has had its bytes for longer. */
  slowAfterMs: number;
}

/**
 * A budget of which each key has a share, so that no key can use up all of it. The bytes of slow work count towards its
 * key's share only, as long as there is memory for slow work: a few keys with slow work do not hold up the others.
 */
export class KeyedByteBudget {
  private readonly all: ByteBudget;
  private readonly slow: ByteBudget;
  private readonly budgets = new Map<string, ByteBudget>();

  constructor(private readonly sizes: Sizes) {
    this.all = new ByteBudget(sizes.total);
    this.slow = new ByteBudget(sizes.slow);
  }

  /** Waits until there are that many bytes; null if `signal` is aborted before. */
  async acquire(key: string, bytes: number, signal: AbortSignal): Promise<ReleaseBytes | null> {
    const own = this.budgets.get(key) ?? new ByteBudget(this.sizes.perKey);
    this.budgets.set(key, own);
    const releaseOwn = await own.acquire(bytes, signal);
    const releaseShared = releaseOwn && (await this.acquireShared(bytes, signal));
    const release = () => {
      releaseShared?.();
      releaseOwn?.();
      if (own.isIdle && this.budgets.get(key) === own) this.budgets.delete(key);
    };
    if (releaseShared) return release;
    release();
    return null;
  }

  private async acquireShared(bytes: number, signal: AbortSignal): Promise<ReleaseBytes | null> {
    let release = await this.all.acquire(bytes, signal);
    if (!release) return null;
    const timer = setTimeout(() => {
      const releaseSlow = this.slow.tryAcquire(bytes);
      if (!releaseSlow) return;
      release?.();
      release = releaseSlow;
    }, this.sizes.slowAfterMs).unref();
    return () => {
      clearTimeout(timer);
      release?.();
    };
  }
}
