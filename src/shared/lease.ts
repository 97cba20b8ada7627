import type { ElapsedTime } from './elapsed-time.js';

/** What is left unused at the end of a lease: clocks run at different speeds, and what has begun needs time to get out. */
const MARGIN_MS = 5_000;

/**
 * What this process knows of a lease that it holds in the database, by its own clocks alone. It counts from before the
 * statement that granted the lease, so it ends here before it ends there.
 */
export class Lease {
  /** `since` is from before the statement that granted it. */
  constructor(
    private readonly lengthMs: number,
    private since: ElapsedTime | null,
  ) {}

  /** False once so much time has gone by that another process may hold it, and when it is known to be lost. */
  isSafe(): boolean {
    return this.since !== null && this.since.ms < this.lengthMs - MARGIN_MS;
  }

  /** `since` is from before the statement that renewed it. */
  renew(since: ElapsedTime): void {
    this.since = since;
  }

  lose(): void {
    this.since = null;
  }
}
