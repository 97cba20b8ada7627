import { DataSource, type EntitySchema, MigrationExecutor } from 'typeorm';

import { MIGRATIONS } from '../../../migrations/index.js';

/** To connect, and to wait for a connection of the pool: who calls is to hear within two seconds that there is none. */
const CONNECT_TIMEOUT_MS = 1_500;
const STATEMENT_TIMEOUT_MS = 30_000;
/** For a server that does not answer any more and so does not keep to the other limit either. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Any number that no other program takes in the same database. */
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
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
    },
  });

/**
 * Brings the schema up to date. Processes that start together do it one after the other, on one connection each, on which
 * neither waiting for the others nor a migration has a time limit.
 */
export async function migrate({ options }: DataSource): Promise<void> {
  const extra = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  const unhurried = await new DataSource({ ...options, entities: [], extra }).initialize();
  try {
    await migrateWith(unhurried);
  } finally {
    await unhurried.destroy();
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
