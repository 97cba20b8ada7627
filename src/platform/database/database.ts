import { AsyncLocalStorage } from 'node:async_hooks';

import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ClientBase, Pool, PoolClient, QueryConfig } from 'pg';

import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { TransactionRunner } from '../../shared/ports/transaction-runner.js';
import { isRetryable } from './postgres-errors.js';

const MAX_TRIES = 5;
/** For statements on hot paths. All others have the timeout of the data source. */
const HOT_TIMEOUT_MS = 5_000;
/** For lists, searches and counts. */
const READ_TIMEOUT_MS = 10_000;
const PING_TIMEOUT_MS = 2_000;
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const TRANSACTIONS_PER_LANE = 3;

/** Gives repositories the connection of the current transaction, so that none can leave it by mistake. */
@Injectable()
export class Database extends TransactionRunner {
  private readonly current = new AsyncLocalStorage<EntityManager>();
  private readonly lanes = new KeyedSemaphore(TRANSACTIONS_PER_LANE);
  private readonly afterCommits = new WeakMap<EntityManager, (() => void)[]>();
  private running = 0;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  get manager(): EntityManager {
    return this.current.getStore() ?? this.dataSource.manager;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isRunning) return work();
    this.running += 1;
    try {
      return await this.runWithRetries(work);
    } finally {
      // An AsyncLocalStorage in use slows down every promise of the process: 16 % per accepted message on Node 20.
      if (--this.running === 0) this.current.disable();
    }
  }

  runInLane<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return this.isRunning ? work() : this.lanes.run(accountId, () => this.run(work));
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
    return (await (await this.connection()).query(text, values)).rows as Row[];
  }

  /**
   * Runs a read-only statement that may be slow: the server cancels it after ten seconds. Within a transaction it is an
   * ordinary query.
   */
  async read<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (this.isRunning) return this.query(text, values);
    return this.onConnection(async (client) => {
      await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${READ_TIMEOUT_MS}`);
      const { rows } = await client.query(text, values);
      await client.query('COMMIT');
      return rows as Row[];
    });
  }

  /** Runs SQL of a hot path, parsed and planned once per connection under `name`. It times out after five seconds. */
  async prepared<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return (await (await this.connection()).query(withQueryTimeout(HOT_TIMEOUT_MS, { name, text, values })))
      .rows as Row[];
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
    await this.onConnection(async (client) => {
      await client.query('SET statement_timeout = 0');
      await client.query(withQueryTimeout(NO_TIMEOUT_MS, { text: statement }));
      await client.query('RESET statement_timeout');
    });
  }

  get url(): string {
    return (this.dataSource.options as { url: string }).url;
  }

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private async runWithRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.runOnce(work);
      } catch (error) {
        if (tried === MAX_TRIES || !isRetryable(error)) throw error;
      }
    }
  }

  /** Uses a separate connection, which is closed after an error so that nobody gets it in an unknown state. */
  private async onConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let isUsable = false;
    try {
      const result = await work(client);
      isUsable = true;
      return result;
    } finally {
      client.release(!isUsable);
    }
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

  private async connection(): Promise<ClientBase | Pool> {
    const runner = this.current.getStore()?.queryRunner;
    return runner ? ((await runner.connect()) as ClientBase) : this.pool;
  }
}

const READ_CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms';

/** The types of pg lack the option. */
const withQueryTimeout = (queryTimeoutMs: number, config: QueryConfig): QueryConfig =>
  Object.assign(config, { query_timeout: queryTimeoutMs });
