import { runMigrations } from 'bullmq';
import { Client } from 'pg';

import { createDataSource, migrate } from '../../src/platform/database/data-source.js';
import { onServer, TEMPLATE, templateUrl } from './database.js';

/** Called once per test run with the URL of the fresh server, before any test file starts. */
export async function prepareTemplate(url: string): Promise<void> {
  await onServer(url, `CREATE DATABASE ${TEMPLATE}`);
  const dataSource = createDataSource(templateUrl(url), [], 2);
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  const client = new Client({ connectionString: templateUrl(url) });
  await client.connect();
  await runMigrations(client);
  await client.end();
}
