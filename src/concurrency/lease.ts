import type { DatabaseFaults } from '../shared/ports/database-faults.js';
import { Batcher } from './batcher.js';

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

interface LeasesOptions<Row> {
  lengthMs: number;
  /**
   * The claim of a row. Each lease has its own: a process may claim a row again while it still holds a lost claim of
   * it.
   */
  claimOf: (row: Row) => string;
  faults: DatabaseFaults;
  /** The maximum number of leases that one statement renews. */
  maxRenewals: number;
  /**
   * Renews the leases that are still held and returns their claims. `isLocked`: it is held but not renewed, because
   * another transaction has locked the row; the next renewal tries again.
   */
  renew: (rows: readonly Row[]) => Promise<{ claimId: string; isLocked: boolean }[]>;
}

/** Leases on the rows of one table. */
export class Leases<Row extends { lease: Lease }> {
  private readonly renewals: Batcher<Row, boolean>;

  constructor(private readonly options: LeasesOptions<Row>) {
    const { maxRenewals: maxSize, faults } = options;
    this.renewals = new Batcher((rows) => this.renewAll(rows), { maxSize, faults });
  }

  /** `claim` leases rows in the database. */
  async grant(claim: () => Promise<Omit<Row, 'lease'>[]>): Promise<Row[]> {
    const since = new ElapsedTime();
    const rows = await claim();
    return rows.map((row) => Object.assign(row, { lease: new Lease(this.options.lengthMs, since) }) as unknown as Row);
  }

  /**
   * Renews the leases, and marks those as lost that another worker has taken. Batched: after a pause of the process,
   * all of its rows renew their leases at once.
   */
  async renew(rows: readonly Row[]): Promise<void> {
    await Promise.all(rows.map((row) => this.renewals.add(row)));
  }

  private async renewAll(rows: readonly Row[]): Promise<boolean[]> {
    const since = new ElapsedTime();
    const held = await this.options.renew(rows);
    const isLocked = new Map(held.map((row) => [row.claimId, row.isLocked]));
    return rows.map((row) => {
      const claimId = this.options.claimOf(row);
      if (isLocked.get(claimId) === false) row.lease.renew(since);
      else if (!isLocked.has(claimId)) row.lease.lose();
      return isLocked.has(claimId);
    });
  }
}
