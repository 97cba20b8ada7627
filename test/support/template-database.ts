import { runMigrations } from 'bullmq';
import { Client } from 'pg';

import { SqlConsentPartitions } from '../../src/modules/consent/infrastructure/sql-consent-partitions.js';
import { SqlMessagePartitions } from '../../src/modules/messages/infrastructure/retention/sql-message-partitions.js';
import { createDataSource, migrate } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { cloneDatabase, MIGRATED, onServer, TEMPLATE, templateUrl } from './database.js';

const MONTHS = 4;

export async function dropTemplates(url: string): Promise<void> {
  for (const name of [TEMPLATE, MIGRATED]) await onServer(url, `DROP DATABASE IF EXISTS ${name}`);
}

/** Called once per test run with the URL of the fresh server, before any test file starts. */
export async function prepareTemplates(url: string): Promise<void> {
  await onServer(url, `CREATE DATABASE ${MIGRATED}`);
  const migrated = createDataSource(templateUrl(url, MIGRATED), [], 2);
  await migrated.initialize();
  await migrate(migrated);
  await migrated.destroy();
  const client = new Client({ connectionString: templateUrl(url, MIGRATED) });
  await client.connect();
  await runMigrations(client);
  await client.end();

  await cloneDatabase(url, TEMPLATE, MIGRATED);
  const started = createDataSource(templateUrl(url), [], 2);
  await started.initialize();
  await new SqlMessagePartitions(new Database(started)).ensure(new Date(), MONTHS);
  await new SqlConsentPartitions(new Database(started)).ensure(new Date(), MONTHS);
  await started.destroy();
}
