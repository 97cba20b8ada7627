import { join } from 'node:path';

import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import type { Environment } from '../config/config.js';
import { ENTITIES } from '../modules/entities.js';
import { COMMAND_NAME, createDataSource, migrate } from '../platform/database/data-source.js';
import { Database } from '../platform/database/database.js';
import { unusableDatabase } from '../platform/database/postgres-errors.js';

/** One connection holds the migration lock, the other runs the migrations. */
const CONNECTIONS = 2;

export type Target = Pick<Environment, 'databaseUrl' | 'dataDir'>;

/** Runs the work of a command on the configured database, whether or not the service is running. */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Target,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) return connect(databaseUrl, work);
  const embedded = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  try {
    return await connect(embedded.url, work);
  } finally {
    await embedded.stop();
  }
}

async function connect<T>(databaseUrl: string, work: (database: Database) => Promise<T>): Promise<T> {
  const dataSource = createDataSource(databaseUrl, ENTITIES, CONNECTIONS, COMMAND_NAME);
  await dataSource.initialize().catch((error: unknown) => {
    throw unusableDatabase(databaseUrl, error);
  });
  try {
    await migrate(dataSource);
    return await work(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
