import { setTimeout as pause } from 'node:timers/promises';

import { DataSource, type EntitySchema, MigrationExecutor, type QueryRunner } from 'typeorm';

import { STATEMENT_TIMEOUT_MS } from '../../config/limits.js';
import { MIGRATIONS } from '../../../migrations/index.js';
import { PooledClient } from './pooled-client.js';
import { isLockTimeout, isRetryable, unusableDatabase } from './postgres-errors.js';
import { START_CONNECT_TIMEOUT_MS } from './reach-database.js';
import { requireRelease } from './require-release.js';

/** Covers a server that has stopped answering and therefore does not apply the statement timeout. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Arbitrary; no other program may use the same number in this database. */
export const MIGRATION_LOCK = 7_203_114;

/** The name of the connections of commands, which are not those of the service. */
export const COMMAND_NAME = 'delivery-command';

/** Connecting, and waiting for a pooled connection, have the time limit of a start until the service has started. */
export const createDataSource = (
  url: string,
  entities: EntitySchema[],
  poolSize: number,
  applicationName = 'delivery-service',
): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations: MIGRATIONS,
    poolSize,
    applicationName,
    extra: {
      Client: PooledClient,
      pipeline: true,
      connectionTimeoutMillis: START_CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    },
  });

/**
 * Migrates the schema to the latest version. Processes that start together take turns, each on its own connection,
 * where neither the wait for their turn nor a migration has a timeout. Its errors name the database.
 */
export async function migrate({ options }: DataSource, warn: Warn = toStderr): Promise<void> {
  try {
    await migrateOnItsOwn(options, warn);
  } catch (error) {
    throw unusableDatabase((options as { url: string }).url, error);
  }
}

async function migrateOnItsOwn(options: DataSource['options'], warn: Warn): Promise<void> {
  const extra = {
    Client: PooledClient,
    connectionTimeoutMillis: START_CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 0,
  };
  const migrationSource = await new DataSource({ ...options, entities: [], extra }).initialize();
  try {
    await migrateWith(migrationSource, warn);
  } finally {
    await migrationSource.destroy();
  }
}

/**
 * While a migration waits for a lock on a table, all statements on that table queue behind it. Longer than PostgreSQL's
 * deadlock_timeout (1 s), after which an autovacuum that holds the lock is canceled.
 */
const TABLE_LOCK_TIMEOUT_MS = 2_000;
const TABLE_LOCK_PAUSE_MS = 3_000;
/** The tries last for ten minutes. */
const TABLE_LOCK_TRIES = 120;

type Warn = (line: string) => void;

const toStderr: Warn = (line) => {
  process.stderr.write(`${line}\n`);
};

/** Older ones lack features that statements use, such as DETACH PARTITION CONCURRENTLY. */
const MIN_VERSION = 14;

async function requireSupportedVersion(runner: QueryRunner): Promise<void> {
  const [{ number, version }] = (await runner.query(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version`,
  )) as [{ number: number; version: string }];
  if (number < MIN_VERSION * 10_000)
    throw new Error(`it is PostgreSQL ${version}, and the service needs ${MIN_VERSION} or later`);
}

const MIGRATION_NAMES = MIGRATIONS.map(({ name }) => name);

/** The caller closes the connection, which releases the lock. */
async function migrateWith(dataSource: DataSource, warn: Warn): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await requireSupportedVersion(runner);
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await requireRelease(runner, MIGRATION_NAMES, warn);
    await runner.query(`SET lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
    await untilLocked(warn, () => {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      return executor.executePendingMigrations();
    });
  } finally {
    await runner.release();
  }
}

/**
 * Repeats migrations that cannot have a lock because of a long transaction, or that have deadlocked with one; each is
 * rolled back as a whole.
 */
async function untilLocked(warn: Warn, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(isLockTimeout(error) || isRetryable(error)) || tries === TABLE_LOCK_TRIES) throw error;
      warn(`A migration waits for a transaction that holds a lock (${(error as Error).message}); trying again`);
      await pause(TABLE_LOCK_PAUSE_MS);
    }
  }
}
