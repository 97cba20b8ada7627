import { Client } from 'pg';

import type { TestService } from './service.js';

/** Locks the rows that the statement selects, in a transaction of its own, until the returned function is called. */
export async function lockRows(service: TestService, select: string, values: unknown[]): Promise<() => Promise<void>> {
  const client = new Client(service.database.url);
  await client.connect();
  await client.query('BEGIN');
  const { rowCount } = await client.query(`${select} FOR UPDATE`, values);
  if (rowCount === 0) throw new Error(`Nothing to lock: ${select}`);
  return () => client.end();
}
