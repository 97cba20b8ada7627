import { Batcher } from './batcher.js';
import { ElapsedTime, Lease } from './lease.js';
import type { Clock } from './ports/clock.js';
import type { DatabaseFaults } from './ports/database-faults.js';

interface LeasesOptions<Row> {
  lengthMs: number;
  faults: DatabaseFaults;
  /** How many leases one statement may renew. */
  maxRenewals: number;
  /** Renews the leases that are still held and returns their ids. */
  renew: (rows: readonly Row[], leaseEndsAt: Date) => Promise<{ id: string }[]>;
}

/**
 * Leases on the rows of one table. The clock catches up before it sets the end of a lease: the machine may have been
 * paused.
 */
export class Leases<Row extends { id: string; lease: Lease }> {
  private readonly renewals: Batcher<Row, boolean>;

  constructor(
    private readonly clock: Clock,
    private readonly options: LeasesOptions<Row>,
  ) {
    const { maxRenewals: maxSize, faults } = options;
    this.renewals = new Batcher((rows) => this.renewAll(rows), { maxSize, faults });
  }

  /** `claim` leases rows in the database. */
  async grant(claim: (now: Date, leaseEndsAt: Date) => Promise<Omit<Row, 'lease'>[]>): Promise<Row[]> {
    const since = new ElapsedTime();
    const now = await this.caughtUp();
    const rows = await claim(now, this.endFrom(now));
    return rows.map((row) => Object.assign(row, { lease: new Lease(this.options.lengthMs, since) }) as unknown as Row);
  }

  /**
   * Renews the leases, and sets those to lost that another worker has taken. Batched: after a pause of the process, all
   * of its rows renew their leases at once.
   */
  async renew(rows: readonly Row[]): Promise<void> {
    await Promise.all(rows.map((row) => this.renewals.add(row)));
  }

  private async renewAll(rows: readonly Row[]): Promise<boolean[]> {
    const since = new ElapsedTime();
    const renewed = await this.options.renew(rows, this.endFrom(await this.caughtUp()));
    const held = new Set(renewed.map(({ id }) => id));
    return rows.map(({ id, lease }) => {
      if (held.has(id)) lease.renew(since);
      else lease.lose();
      return held.has(id);
    });
  }

  private async caughtUp(): Promise<Date> {
    await this.clock.catchUp();
    return this.clock.now();
  }

  private endFrom(now: Date): Date {
    return new Date(now.getTime() + this.options.lengthMs);
  }
}
