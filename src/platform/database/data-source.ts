import { DataSource, type EntitySchema, MigrationExecutor } from 'typeorm';

import { MIGRATIONS } from '../../../migrations/index.js';
import { PooledClient } from './pooled-client.js';

/** For connecting and for waiting for a pooled connection. Callers learn within two seconds that there is none. */
const CONNECT_TIMEOUT_MS = 1_500;
const STATEMENT_TIMEOUT_MS = 30_000;
/** For a server that has stopped answering and therefore does not apply the statement timeout. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Arbitrary; no other program may use the same number in this database. */
const MIGRATION_LOCK = 7_203_114;

export const createDataSource = (url: string, entities: EntitySchema[], poolSize: number): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations: MIGRATIONS,
    poolSize,
    applicationName: 'delivery-service',
    extra: {
      Client: PooledClient,
      pipeline: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    },
  });

/**
 * Migrates the schema to the latest version. Processes that start together take turns, each on its own connection,
 * where neither the wait for the lock nor a migration has a timeout.
 */
export async function migrate({ options }: DataSource): Promise<void> {
  const extra = {
    Client: PooledClient,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 0,
  };
  const migrationSource = await new DataSource({ ...options, entities: [], extra }).initialize();
  try {
    await migrateWith(migrationSource);
  } finally {
    await migrationSource.destroy();
  }
}

async function migrateWith(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.query('RESET statement_timeout');
    await runner.release();
  }
}
