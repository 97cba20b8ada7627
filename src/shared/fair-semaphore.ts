interface Limits {
  perKey: number;
  total: number;
  maxWaitingPerKey: number;
  maxWaiting: number;
}

export interface AcquireOptions {
  /** Aborts the wait; the permit is then refused. */
  signal?: AbortSignal | undefined;
  /** The permit is refused after waiting this long. */
  waitMs?: number;
  /** Waits even if the queue is full, without counting towards its limits. The caller bounds such calls itself. */
  mayExceedQueue?: boolean;
}

/** Gives the permit back; further calls do nothing. */
export type Release = () => void;

interface Waiter {
  counts: boolean;
  start: () => void;
}

interface Lane {
  running: number;
  waiting: Waiter[];
}

/**
 * A counting semaphore with a limit for each key and one for all keys together. Waiting keys are served
 * round-robin, so that a key with a long queue delays the others by at most one permit. The queue is bounded too.
 */
export class FairSemaphore {
  private readonly lanes = new Map<string, Lane>();
  private running = 0;
  private queued = 0;

  constructor(private readonly limits: Limits) {}

  /** Number of waiting callers, except those with `mayExceedQueue`. */
  get waiting(): number {
    return this.queued;
  }

  /** Null if refused: the queue is full, the wait was aborted, or it took too long. */
  acquire(key: string, options: AcquireOptions = {}): Promise<Release | null> {
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] };
    if (this.hasPermit(lane) && lane.waiting.length === 0) {
      this.lanes.set(key, lane);
      return Promise.resolve(this.start(key, lane));
    }
    const counts = !options.mayExceedQueue;
    if (options.signal?.aborted || (counts && this.isQueueFull(lane))) return Promise.resolve(null);
    this.lanes.set(key, lane);
    return this.wait(key, lane, counts, options);
  }

  private wait(key: string, lane: Lane, counts: boolean, { signal, waitMs }: AcquireOptions): Promise<Release | null> {
    return new Promise((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', refuse);
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
        this.queued -= counts ? 1 : 0;
      };
      const refuse = () => {
        leave();
        this.forgetIdle(key, lane);
        resolve(null);
      };
      const waiter: Waiter = {
        counts,
        start: () => {
          leave();
          resolve(this.start(key, lane));
        },
      };
      const timer = waitMs === undefined ? undefined : setTimeout(refuse, waitMs).unref();
      signal?.addEventListener('abort', refuse);
      lane.waiting.push(waiter);
      this.queued += counts ? 1 : 0;
    });
  }

  private start(key: string, lane: Lane): Release {
    lane.running += 1;
    this.running += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      lane.running -= 1;
      this.running -= 1;
      this.forgetIdle(key, lane);
      this.startNext();
    };
  }

  /** Moves the lane that is served behind the others. */
  private startNext(): void {
    for (const [key, lane] of this.lanes) {
      const [next] = lane.waiting;
      if (!next || !this.hasPermit(lane)) continue;
      this.lanes.delete(key);
      this.lanes.set(key, lane);
      next.start();
      return;
    }
  }

  private hasPermit(lane: Lane): boolean {
    return this.running < this.limits.total && lane.running < this.limits.perKey;
  }

  private isQueueFull(lane: Lane): boolean {
    const { maxWaiting, maxWaitingPerKey } = this.limits;
    return this.queued >= maxWaiting || lane.waiting.filter(({ counts }) => counts).length >= maxWaitingPerKey;
  }

  private forgetIdle(key: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.lanes.delete(key);
  }
}
