import { AsyncLocalStorage } from 'node:async_hooks';

import type { ClientBase, Pool, QueryConfig } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

import { HOT_STATEMENT_TIMEOUT_MS, READ_STATEMENT_TIMEOUT_MS } from '../../config/limits.js';
import { Limiter } from '../../concurrency/limiter.js';
import { type TransactionOptions, TransactionRunner } from '../../shared/ports/transaction-runner.js';
import { CopyQuery } from './copy-query.js';
import {
  beginRead,
  NO_TIMEOUT_MS,
  onConnection,
  queryOrClose,
  queryWithin,
  withQueryTimeout,
} from './pooled-client.js';
import { isRetryable } from './postgres-errors.js';
import type { ReadReplica } from './read-replica.js';

const MAX_TRIES = 5;
const PING_TIMEOUT_MS = 2_000;
const TRANSACTIONS_PER_LANE = 3;
const CHANGED_AT_ONCE = 5_000;

/** SQL of a hot path, parsed and planned once per connection under its name. */
export interface NamedStatement {
  name: string;
  text: string;
}

/** Gives repositories the connection of the current transaction, so that none can leave it by mistake. */
export class Database extends TransactionRunner {
  private readonly current = new AsyncLocalStorage<EntityManager>();
  private readonly lanes = new Limiter({ perKey: TRANSACTIONS_PER_LANE });
  private readonly afterCommits = new WeakMap<EntityManager, (() => void)[]>();
  private running = 0;

  constructor(
    private readonly dataSource: DataSource,
    readonly replica: ReadReplica | null = null,
  ) {
    super();
  }

  get manager(): EntityManager {
    return this.current.getStore() ?? this.dataSource.manager;
  }

  async run<T>(work: () => Promise<T>, { maxLockWaitMs }: TransactionOptions = {}): Promise<T> {
    if (this.isRunning) return work();
    const limited = maxLockWaitMs === undefined ? work : () => this.limitingLockWaits(maxLockWaitMs, work);
    this.running += 1;
    try {
      return await withRetries(() => this.runOnce(limited));
    } finally {
      // An AsyncLocalStorage in use slows down every promise of the process: 16 % per accepted message on Node 20.
      if (--this.running === 0) this.current.disable();
    }
  }

  runInLane<T>(accountId: string, work: () => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.isRunning ? work() : this.lanes.run(accountId, () => this.run(work, options));
  }

  /** Calls back after the current transaction has committed; immediately if there is none, never after a rollback. */
  afterCommit(call: () => void): void {
    const manager = this.current.getStore();
    const calls = manager && this.afterCommits.get(manager);
    if (manager === undefined) call();
    else if (calls) calls.push(call);
    else this.afterCommits.set(manager, [call]);
  }

  get isRunning(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** Runs SQL and returns its rows. The caller is responsible for their type. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.rowsOf({ text, values });
  }

  /** Runs SQL in the lane of the account, for a statement that may wait for locks of the account. */
  queryInLane<Row>(accountId: string, text: string, values: unknown[]): Promise<Row[]> {
    const query = () => this.query<Row>(text, values);
    return this.isRunning ? query() : this.lanes.run(accountId, query);
  }

  /**
   * Deletes the rows of a table, which has no partitions, in batches, each in a statement of its own: all of them may
   * take longer than a statement may. Rows that are locked are left for the next time. Returns how many it has deleted.
   */
  deleteInBatches(table: string, condition: string, values: unknown[] = []): Promise<number> {
    return this.changeInBatches(table, `DELETE FROM ${table}`, condition, values);
  }

  /** Changes rows in batches, as `deleteInBatches` does. The condition must no longer apply to a changed row. */
  async changeInBatches(table: string, change: string, condition: string, values: unknown[]): Promise<number> {
    const batch = `SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${CHANGED_AT_ONCE} FOR UPDATE SKIP LOCKED`;
    const statement = `${change} WHERE ctid = ANY (ARRAY(${batch})) RETURNING 1`;
    for (let changed = 0; ;) {
      const rows = await this.query(statement, values);
      changed += rows.length;
      if (rows.length < CHANGED_AT_ONCE) return changed;
    }
  }

  /**
   * Runs a read-only statement that may be slow: the server cancels it after the timeout, ten seconds if none is given.
   * Within a transaction it is an ordinary query. Outside, the replica may run it; the result contains everything that
   * was committed before the call. For statements that decide what is done, call `readFromPrimary`.
   */
  async read<Row>(
    statement: string | NamedStatement,
    values: unknown[] = [],
    timeoutMs = READ_STATEMENT_TIMEOUT_MS,
  ): Promise<Row[]> {
    const query = typeof statement === 'string' ? { text: statement, values } : { ...statement, values };
    const rows = this.isRunning ? null : await this.replica?.read<Row>(query, timeoutMs);
    return rows ?? this.readOnPrimary(query, timeoutMs);
  }

  /** Runs a read-only statement as `read` does, but never on the replica. */
  async readFromPrimary<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.readOnPrimary({ text, values }, READ_STATEMENT_TIMEOUT_MS);
  }

  /**
   * Runs SQL of a hot path, parsed and planned once per connection under `name`. It is canceled after five seconds: a
   * caller that learns of an error may repeat what it has asked for.
   */
  async prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const query = { name, text, values };
    const client = await this.currentClient();
    const { rows } = client
      ? await queryOrClose(client, HOT_STATEMENT_TIMEOUT_MS, query)
      : await withRetries(() => queryWithin(this.pool, HOT_STATEMENT_TIMEOUT_MS, query));
    return rows as Row[];
  }

  /** Runs a SELECT outside any transaction and calls back with each row as it arrives: see CopyQuery. */
  async copy(select: string, onRow: (fields: (Buffer | null)[]) => void): Promise<void> {
    const query = new CopyQuery(select, onRow);
    await this.pool.query(query as unknown as QueryConfig);
    query.throwFault();
  }

  /** Throws if the database does not answer within two seconds. */
  async ping(): Promise<void> {
    await this.pool.query(withQueryTimeout(PING_TIMEOUT_MS, { text: 'SELECT 1' }));
  }

  /** Reads the clock of the server, in milliseconds since 1970, outside any transaction. */
  async readClockMs(): Promise<number> {
    const { rows } = await this.pool.query<{ ms: number }>(withQueryTimeout(PING_TIMEOUT_MS, { text: READ_CLOCK }));
    const [row] = rows;
    if (!row) throw new Error('The database did not return its time');
    return row.ms;
  }

  /** Runs a statement that has no timeout and cannot be part of a transaction, on a separate connection. */
  async queryWithoutTimeout(statement: string): Promise<void> {
    await onConnection(this.pool, async (client) => {
      await client.query('SET statement_timeout = 0');
      await client.query(withQueryTimeout(NO_TIMEOUT_MS, { text: statement }));
      await client.query('RESET statement_timeout');
    });
  }

  /** Runs `work` while a separate connection holds an advisory lock, which no transaction can hold for as long. */
  async whileLocked<T>(key: number, work: () => Promise<T>): Promise<T> {
    return onConnection(this.pool, async (client) => {
      await client.query('SELECT pg_advisory_lock($1)', [key]);
      const result = await work();
      await client.query('SELECT pg_advisory_unlock($1)', [key]);
      return result;
    });
  }

  get url(): string {
    return (this.dataSource.options as { url: string }).url;
  }

  get pool(): Pool {
    return poolOf(this.dataSource);
  }

  private async readOnPrimary<Row>(query: QueryConfig, timeoutMs: number): Promise<Row[]> {
    if (this.isRunning) return this.rowsOf(query);
    return onConnection(this.pool, async (client) => {
      // One round trip: the connections are pipelined.
      const [, { rows }] = await Promise.all([
        client.query(beginRead(timeoutMs)),
        client.query(query),
        client.query('COMMIT'),
      ]);
      return rows as Row[];
    });
  }

  private async runOnce<T>(work: () => Promise<T>): Promise<T> {
    let used: EntityManager | undefined;
    const result = await this.dataSource.transaction((manager) => {
      used = manager;
      return this.current.run(manager, work);
    });
    for (const call of (used && this.afterCommits.get(used)) ?? []) call();
    return result;
  }

  /** Sends the limit ahead of the first statement of `work`, without waiting for its response. */
  private async limitingLockWaits<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
    const [limit, done] = await Promise.allSettled([this.query(LIMIT_LOCK_WAITS, [String(milliseconds)]), work()]);
    if (limit.status === 'rejected') throw limit.reason;
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  }

  /** A statement of its own is repeated after a deadlock; a transaction is repeated as a whole. */
  private async rowsOf<Row>(query: QueryConfig): Promise<Row[]> {
    const client = await this.currentClient();
    const { rows } = client ? await client.query(query) : await withRetries(() => this.pool.query(query));
    return rows as Row[];
  }

  /** The connection of the current transaction. */
  private async currentClient(): Promise<ClientBase | undefined> {
    return (await this.current.getStore()?.queryRunner?.connect()) as ClientBase | undefined;
  }
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === MAX_TRIES || !isRetryable(error)) throw error;
    }
  }
}

const LIMIT_LOCK_WAITS = "SELECT set_config('lock_timeout', $1, true)";
const READ_CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';

export const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;
