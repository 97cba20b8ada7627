import { DataSource, type EntitySchema } from 'typeorm';

import { MIGRATIONS } from '../../migrations/index.js';

const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Any number that no other program takes in the same database. */
const MIGRATION_LOCK = 7_203_114;

export const createDataSource = (url: string, entities: EntitySchema[], poolSize: number): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'delivery-service',
    extra: { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, statement_timeout: STATEMENT_TIMEOUT_MS },
  });

/** Brings the schema up to date. Processes that start together do it one after the other. */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations();
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}
