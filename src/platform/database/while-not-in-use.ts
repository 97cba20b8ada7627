import { COMMAND_NAME, MIGRATION_LOCK } from './data-source.js';
import type { Database } from './database.js';
import { onConnection } from './pooled-client.js';
import { isLockTimeout } from './postgres-errors.js';

const LOCK_TIMEOUT_MS = 20_000;

/**
 * Runs the work while no process of the service uses the database. Throws if one does. Processes that start meanwhile
 * wait for the lock before they migrate.
 */
export const whileNotInUse = <T>({ pool }: Database, work: () => Promise<T>): Promise<T> =>
  onConnection(pool, async (client) => {
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]).catch((error: unknown) => {
      throw isLockTimeout(error) ? inUse('a process that is starting migrates it') : error;
    });
    const { rows } = await client.query<{ connections: number }>(USED, [COMMAND_NAME]);
    const connections = rows[0]?.connections ?? 0;
    if (connections > 0) throw inUse(`the service has ${connections} connections to it`);
    const result = await work();
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await client.query('RESET lock_timeout');
    return result;
  });

const inUse = (reason: string): Error =>
  new Error(`The database is in use: ${reason}. Stop all processes of the service first.`);

/** $1 the name of the connections of commands. */
const USED = `
  SELECT count(*)::integer AS connections FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'delivery-%' AND application_name <> $1`;
