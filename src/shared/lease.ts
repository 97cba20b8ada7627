/**
 * The time elapsed since an instant: the larger value of the monotonic clock, which keeps counting while the process is
 * stopped, and the wall clock, which catches up after the whole machine was paused.
 */
export class ElapsedTime {
  private readonly monotonicMs = performance.now();
  private readonly wallMs = Date.now();

  get ms(): number {
    return Math.max(performance.now() - this.monotonicMs, Date.now() - this.wallMs);
  }
}

/** Safety margin at the end of a lease: clocks drift, and a submission takes time. */
const MARGIN_MS = 5_000;

/**
 * A lease held in the database, as measured by the clocks of this process. It counts from before the statement that
 * granted the lease, so it ends here before it ends in the database.
 */
export class Lease {
  /** `since` was taken before the statement that granted the lease. */
  constructor(
    private readonly lengthMs: number,
    private since: ElapsedTime | null,
  ) {}

  /** False once another process may hold the lease, or when it is known to be lost. */
  isSafe(): boolean {
    return this.since !== null && this.since.ms < this.lengthMs - MARGIN_MS;
  }

  /** `since` was taken before the statement that renewed the lease. */
  renew(since: ElapsedTime): void {
    this.since = since;
  }

  lose(): void {
    this.since = null;
  }
}
