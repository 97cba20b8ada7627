import { randomBytes } from 'node:crypto';

import { Client } from 'pg';

export const TEMPLATE = 'migrated_template';

export const templateUrl = (serverUrl: string): string => withDatabase(serverUrl, TEMPLATE);

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database for one test file by cloning the migrated template. */
export async function createTestDatabase(from: string = TEMPLATE): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_POSTGRES_URL!;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${from}`);
  return {
    url: withDatabase(serverUrl, name),
    drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
