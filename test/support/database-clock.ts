import { Client } from 'pg';

import type { TestDatabase } from './database.js';

/**
 * Lets a test set the clock of a database, as a failover to another server does: `clock_timestamp()` is then a function
 * of the database that shifts the one of PostgreSQL. For connections that are opened afterwards.
 */
export async function makeClockSettable({
  url,
}: Pick<TestDatabase, 'url'>): Promise<(shiftSeconds: number) => Promise<void>> {
  const run = async (text: string, values: unknown[] = []) => {
    const client = new Client(url);
    await client.connect();
    await client.query(text, values);
    await client.end();
  };
  await run(`
    CREATE SCHEMA test_clock;
    CREATE TABLE test_clock.shift AS SELECT interval '0' AS shift;
    CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS $$
      SELECT pg_catalog.clock_timestamp() + shift FROM test_clock.shift $$;
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = public, test_clock, pg_catalog', current_database());
    END $$`);
  return (shiftSeconds) => run(`UPDATE test_clock.shift SET shift = make_interval(secs => $1)`, [shiftSeconds]);
}
