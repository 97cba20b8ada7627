import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { Pool, type PoolClient, type QueryConfig } from 'pg';

import { REPLICA_CATCH_UP_MS } from '../../config/limits.js';
import { Batcher } from '../../concurrency/batcher.js';
import { beginRead, onConnection, PooledClient, withQueryTimeout } from './pooled-client.js';
import { isDatabaseUnavailable, isRetryable, isTimedOut, POSTGRES_FAULTS } from './postgres-errors.js';

/** The replica is a shortcut: a caller does not wait long for it. */
const CONNECT_TIMEOUT_MS = 1_000;
const ANSWER_TIMEOUT_MS = 2_000;
const MAX_POLL_MS = 10;
const PROBE_EVERY_MS = 1_000;

/** The outcome of a read: run by the replica, or left to the primary for one of these reasons. */
type Outcome = 'replica' | 'behind' | 'failed' | 'unavailable';

/**
 * A hot standby that runs reads. Before each one, the primary is asked how far its write-ahead log has been flushed,
 * and the read starts when the standby has replayed as much. So it sees every earlier commit, of any process and with
 * nothing remembered about writes (docs/adr/0016-read-replica.md).
 */
export class ReadReplica {
  readonly reads: Record<Outcome, number> = { replica: 0, behind: 0, failed: 0, unavailable: 0 };
  private readonly logger = new Logger(ReadReplica.name);
  private readonly positions = new Batcher<null, string>((calls) => this.readPositions(calls), {
    faults: POSTGRES_FAULTS,
  });
  /** Why reads go to the primary; null while the replica runs them. */
  private reason: 'behind' | 'unavailable' | null = 'unavailable';
  private hasLogged = false;
  private probeTimer: NodeJS.Timeout | undefined;
  private isStopped = false;

  private constructor(
    private readonly primary: Pool,
    private readonly pool: Pool,
  ) {}

  /** The replica is used as soon as it has been reached: the start does not wait for it. */
  static open(primary: Pool, url: string, poolSize: number): ReadReplica {
    const pool = new Pool({
      Client: PooledClient,
      pipeline: true,
      connectionString: url,
      max: poolSize,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'delivery-reads',
    });
    pool.on('error', () => undefined); // an idle connection was lost, and is replaced
    const replica = new ReadReplica(primary, pool);
    replica.probeAfter(0);
    return replica;
  }

  /** Returns the rows, or null if the primary has to run the statement. Throws if the statement takes too long. */
  async read<Row>(query: QueryConfig, timeoutMs: number): Promise<Row[] | null> {
    if (this.reason !== null) return this.leaveToPrimary(this.reason);
    const position = await this.positions.add(null);
    const startedAt = performance.now();
    try {
      const rows = await this.readAt<Row>(position, query, timeoutMs);
      if (rows === null) return this.giveUp('behind', `it is more than ${REPLICA_CATCH_UP_MS} ms behind`);
      this.reads.replica += 1;
      return rows;
    } catch (error) {
      if (isTimedOut(error) && performance.now() - startedAt >= timeoutMs) throw error;
      if (isTimedOut(error) || isRetryable(error) || !isDatabaseUnavailable(error))
        return this.leaveToPrimary('failed');
      return this.giveUp('unavailable', (error as Error).message);
    }
  }

  /**
   * The number of bytes of the write-ahead log that the replica has not replayed yet. Throws if it cannot be reached.
   */
  async lagBytes(): Promise<number> {
    const position = await this.positions.add(null);
    const { rows } = await this.pool.query<{ lag: number }>(
      withQueryTimeout(ANSWER_TIMEOUT_MS, {
        text: `SELECT greatest(0, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()))::float8 AS lag`,
        values: [position],
      }),
    );
    return rows[0]?.lag ?? 0;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.probeTimer);
    await this.pool.end();
  }

  private async readAt<Row>(position: string, query: QueryConfig, timeoutMs: number) {
    return onConnection(this.pool, async (client) => {
      const hasCaughtUp = await this.beginAt(client, position, timeoutMs);
      const commit = { text: 'COMMIT' };
      if (!hasCaughtUp) {
        await client.query(withQueryTimeout(ANSWER_TIMEOUT_MS, commit));
        return null;
      }
      // One round trip: the connections are pipelined.
      const timeout = timeoutMs + ANSWER_TIMEOUT_MS;
      const [{ rows }] = await Promise.all([
        client.query(withQueryTimeout(timeout, { ...query })),
        client.query(withQueryTimeout(timeout, commit)),
      ]);
      return rows as Row[];
    });
  }

  /** Begins a transaction, in which a pooler cannot change the server, and waits until the server has caught up. */
  private async beginAt(client: PoolClient, position: string, timeoutMs: number): Promise<boolean> {
    const check = `SELECT pg_last_wal_replay_lsn() >= ${client.escapeLiteral(position)} AS "hasReplayed"`;
    const begin = `${beginRead(timeoutMs)}; ${check}`;
    const deadline = performance.now() + REPLICA_CATCH_UP_MS;
    let hasReplayed = await this.ask(client, begin);
    for (let waitMs = 1; !hasReplayed && performance.now() < deadline; waitMs *= 2) {
      await pause(Math.min(waitMs, MAX_POLL_MS));
      hasReplayed = await this.ask(client, check);
    }
    return hasReplayed;
  }

  /** Asks the standby a yes-or-no question. A server that is no standby answers null: its position is unknown. */
  private async ask(client: PoolClient, text: string): Promise<boolean> {
    const result: unknown = await client.query(withQueryTimeout(ANSWER_TIMEOUT_MS, { text }));
    const last = (Array.isArray(result) ? result.at(-1) : result) as { rows: { hasReplayed: boolean | null }[] };
    return last.rows[0]?.hasReplayed === true;
  }

  /** One query serves all reads that began before it was sent. */
  private async readPositions(calls: null[]): Promise<string[]> {
    const { rows } = await this.primary.query<{ position: string }>(
      withQueryTimeout(ANSWER_TIMEOUT_MS, { text: POSITION }),
    );
    return calls.map(() => rows[0]?.position ?? '');
  }

  private leaveToPrimary(outcome: Exclude<Outcome, 'replica'>): null {
    this.reads[outcome] += 1;
    return null;
  }

  /** Leaves this read and those that follow to the primary, until a probe succeeds. */
  private giveUp(reason: 'behind' | 'unavailable', message: string): null {
    this.setReason(reason, message);
    return this.leaveToPrimary(reason);
  }

  private setReason(reason: 'behind' | 'unavailable', message: string): void {
    if (!this.hasLogged) this.logger.warn(`The replica (DATABASE_READ_URL) is not used: ${message}`);
    this.hasLogged = true;
    if (this.reason === null) this.probeAfter(PROBE_EVERY_MS);
    this.reason = reason;
  }

  private probeAfter(delayMs: number): void {
    if (this.isStopped) return;
    this.probeTimer = setTimeout(() => void this.probe(), delayMs).unref();
  }

  private async probe(): Promise<void> {
    try {
      await this.requireSameDatabase();
      const isBehind =
        (await this.readAt(await this.positions.add(null), { text: 'SELECT' }, ANSWER_TIMEOUT_MS)) === null;
      if (isBehind) this.setReason('behind', `it is more than ${REPLICA_CATCH_UP_MS} ms behind`);
      else this.resume();
    } catch (error) {
      if (!this.isStopped) this.setReason('unavailable', (error as Error).message);
    }
    if (this.reason !== null) this.probeAfter(PROBE_EVERY_MS);
  }

  private resume(): void {
    if (this.hasLogged) this.logger.log('The replica (DATABASE_READ_URL) is used again');
    this.hasLogged = false;
    this.reason = null;
  }

  /** Positions of different servers cannot be compared, and another database would show the wrong data. */
  private async requireSameDatabase(): Promise<void> {
    const identify = (pool: Pool) => pool.query<object>(withQueryTimeout(ANSWER_TIMEOUT_MS, { text: IDENTITY }));
    const [ours, theirs] = await Promise.all([identify(this.primary), identify(this.pool)]);
    if (JSON.stringify(ours.rows) !== JSON.stringify(theirs.rows))
      throw new Error('it is not a standby of the server of DATABASE_URL, or names another database');
  }
}

/** A commit is flushed before it is reported, unless commits are asynchronous. */
const POSITION = `
  SELECT CASE current_setting('synchronous_commit')
    WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END::text AS position`;

const IDENTITY = `
  SELECT system_identifier::text AS system, current_database()::text AS database FROM pg_control_system()`;
