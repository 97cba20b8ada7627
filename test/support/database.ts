import { randomBytes } from 'node:crypto';

import { Client, Pool } from 'pg';

/** The schema alone, as the migrations leave it. */
export const MIGRATED = 'migrated_template';
/** Includes what each start would add: the partitions of this month and the next ones. */
export const TEMPLATE = 'started_template';

export const templateUrl = (serverUrl: string, template: string = TEMPLATE): string =>
  withDatabase(serverUrl, template);

export interface TestDatabase {
  url: string;
  drop(): Promise<unknown>;
}

/** Creates a database for one test file by cloning a template. */
export async function createTestDatabase(from: string = TEMPLATE): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_POSTGRES_URL!;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await cloneDatabase(serverUrl, name, from);
  return {
    url: withDatabase(serverUrl, name),
    drop: () => onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/**
 * Copies files, which costs half of what PostgreSQL's default does: that writes each page to its log, too. Version 14
 * has no other way, and no name for it.
 */
export async function cloneDatabase(serverUrl: string, name: string, from: string): Promise<void> {
  const client = await connectTo(serverUrl);
  try {
    const { rows } = await client.query<{ named: boolean }>(
      `SELECT current_setting('server_version_num')::integer >= 150000 AS named`,
    );
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from} ${rows[0]?.named ? 'STRATEGY FILE_COPY' : ''}`);
  } finally {
    await client.end();
  }
}

/** Ignores idle connections that are lost: tests stop databases, and drop one while connections to it are closing. */
export function openPool({ url }: TestDatabase): Pool {
  const pool = new Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  return pool;
}

export async function onServer(serverUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = await connectTo(serverUrl);
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
