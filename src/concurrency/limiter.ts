export interface Limits {
  /** The total weight for all keys together. Without it, keys never wait for each other. */
  total?: number;
  /** The total weight for one key. */
  perKey?: number | ((key: string) => number);
  /**
   * The maximum number of waiting calls. Beyond it, the newest call of the key with the longest queue is refused, or
   * the new call itself.
   */
  maxWaiting?: number;
  maxWaitingPerKey?: number;
  /** Waiting calls of a key start together once this much of its share is free. For work that shares statements. */
  groupSize?: number;
  /** The error of a call that is refused: the queue is full, or the wait was aborted or took too long. */
  refusal?: () => Error;
}

export interface CallOptions {
  /** The amount of the limits that the call uses; one by default. A weight above a limit uses all of it. */
  weight?: number;
  /** Ends the wait, not the work. */
  signal?: AbortSignal | undefined;
  /** The call is refused after waiting this long. */
  waitMs?: number;
  /** Waits even if the queue is full, without counting towards its limits. The caller bounds such calls itself. */
  mayExceedQueue?: boolean;
}

const NO_OPTIONS: CallOptions = {};

/** Returns the acquired permit; further calls do nothing. */
export type Release = () => void;

/** The share of a limit, as a whole number of at least one. */
export const shareOf = (limit: number, share: number): number => Math.max(1, Math.floor(limit * share));

interface Waiter {
  weight: number;
  /** Whether the call counts towards the limits of the queue. */
  counts: boolean;
  start: () => void;
  refuse: () => void;
}

interface Lane {
  readonly key: string;
  readonly limit: number;
  used: number;
  readonly waiting: Waiter[];
  /** The number of waiting calls that count. */
  counted: number;
}

/**
 * Limits the weight of concurrent calls: per key, and of all keys together. Waiting calls of a key start in order, and
 * waiting keys are served round-robin, so that a key with a long queue delays the others by at most one call. No call
 * overtakes one that waits for the total, so that light calls cannot hold up a heavy one.
 */
export class Limiter {
  private readonly total: number;
  private readonly lanes = new Map<string, Lane>();
  /** Lanes whose next call waits for the total only, in the order in which they are served. */
  private readonly ready = new Set<Lane>();
  private used = 0;
  private counted = 0;

  constructor(private readonly limits: Limits) {
    this.total = limits.total ?? Infinity;
  }

  /** Number of waiting calls, except those that may exceed the queue. */
  get waiting(): number {
    return this.counted;
  }

  /** Runs the work, at once if the limits permit it and no earlier call waits for them. Throws the refusal. */
  async run<T>(key: string, work: () => Promise<T>, options = NO_OPTIONS): Promise<T> {
    const lane = this.laneOf(key);
    const weight = options.weight ?? 1;
    if (this.fits(lane, weight)) this.take(lane, weight);
    else await this.wait(lane, weight, options);
    try {
      return await work();
    } finally {
      this.give(lane, weight);
    }
  }

  /**
   * Acquires a permit for use that no single function encloses. Null instead of a wait. A weight above a limit uses all
   * of it.
   */
  tryAcquire(key: string, weight = 1): Release | null {
    const lane = this.laneOf(key);
    if (!this.fits(lane, weight)) return null;
    this.take(lane, weight);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.give(lane, weight);
    };
  }

  private laneOf(key: string): Lane {
    const { perKey = Infinity } = this.limits;
    return (
      this.lanes.get(key) ?? {
        key,
        limit: typeof perKey === 'number' ? perKey : perKey(key),
        used: 0,
        waiting: [],
        counted: 0,
      }
    );
  }

  private fits(lane: Lane, weight: number): boolean {
    if (this.ready.size > 0 || lane.waiting.length > 0) return false;
    return this.fitsLane(lane, weight) && this.fitsTotal(weight);
  }

  private fitsLane(lane: Lane, weight: number): boolean {
    return lane.used + Math.min(weight, lane.limit) <= lane.limit;
  }

  private fitsTotal(weight: number): boolean {
    return this.used + Math.min(weight, this.total) <= this.total;
  }

  private take(lane: Lane, weight: number): void {
    this.lanes.set(lane.key, lane);
    lane.used += Math.min(weight, lane.limit);
    this.used += Math.min(weight, this.total);
  }

  private give(lane: Lane, weight: number): void {
    lane.used -= Math.min(weight, lane.limit);
    this.used -= Math.min(weight, this.total);
    this.startWaiting(lane);
  }

  private wait(lane: Lane, weight: number, options: CallOptions): Promise<void> {
    const { signal, waitMs, mayExceedQueue = false } = options;
    if (signal?.aborted || !(mayExceedQueue || this.hasRoom(lane))) throw this.refusal();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', waiter.refuse);
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
        if (waiter.counts) this.count(lane, -1);
      };
      const waiter: Waiter = {
        weight,
        counts: !mayExceedQueue,
        start: () => {
          leave();
          resolve();
        },
        refuse: () => {
          leave();
          reject(this.refusal());
          this.startWaiting(lane);
        },
      };
      const timer = waitMs === undefined ? undefined : setTimeout(waiter.refuse, waitMs).unref();
      signal?.addEventListener('abort', waiter.refuse);
      this.lanes.set(lane.key, lane);
      lane.waiting.push(waiter);
      if (waiter.counts) this.count(lane, 1);
      this.startWaiting(lane);
    });
  }

  /** Whether one more call of the lane may wait. May refuse a call of another lane to make room. */
  private hasRoom(lane: Lane): boolean {
    const { maxWaiting = Infinity, maxWaitingPerKey = Infinity } = this.limits;
    if (lane.counted >= maxWaitingPerKey) return false;
    if (this.counted < maxWaiting) return true;
    let longest = lane;
    for (const other of this.lanes.values()) if (other.counted > longest.counted) longest = other;
    if (longest.counted <= lane.counted + 1) return false;
    longest.waiting.findLast(({ counts }) => counts)?.refuse();
    return true;
  }

  private refusal(): Error {
    return this.limits.refusal?.() ?? new Error('Too many calls are waiting');
  }

  private count(lane: Lane, change: 1 | -1): void {
    lane.counted += change;
    this.counted += change;
  }

  /** Starts waiting calls after the lane has changed, and removes an unused lane. */
  private startWaiting(changed: Lane): void {
    if (changed.waiting.length > 0 || this.ready.size > 0) {
      this.updateReady(changed);
      this.startReady();
    }
    if (changed.used > 0 || changed.waiting.length > 0) return;
    if (this.lanes.get(changed.key) === changed) this.lanes.delete(changed.key);
  }

  private updateReady(lane: Lane): void {
    const [next] = lane.waiting;
    if (!next || !this.fitsLane(lane, next.weight)) this.ready.delete(lane);
    else if (lane.limit - lane.used >= Math.min(this.limits.groupSize ?? 0, lane.limit)) this.ready.add(lane);
  }

  private startReady(): void {
    for (const lane of this.ready) {
      const [next] = lane.waiting;
      if (!next || !this.fitsTotal(next.weight)) return;
      this.take(lane, next.weight);
      next.start();
      this.ready.delete(lane);
      const [following] = lane.waiting;
      if (following && this.fitsLane(lane, following.weight)) this.ready.add(lane);
    }
  }
}
