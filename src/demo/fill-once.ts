import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';

/** The content of the file while the database is being filled, and afterwards. */
const [BEGUN, COMPLETE] = ['begun', 'complete'];

/**
 * Calls `fill` unless an earlier call has completed. If one was interrupted, the database is recreated first: half of a
 * history would be neither useful nor recognisable.
 */
export async function fillOnce(dataDir: string, databaseUrl: string, fill: () => Promise<unknown>): Promise<void> {
  const file = join(dataDir, 'history');
  const state = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (state === COMPLETE) return;
  if (state === BEGUN) await recreate(databaseUrl);
  await writeFile(file, BEGUN, { flush: true });
  await fill();
  await writeFile(file, COMPLETE, { flush: true });
}

async function recreate(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
