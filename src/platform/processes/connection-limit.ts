import { Client } from 'pg';

import type { Config } from '../../config/config.js';
import { QUEUE_NAMES } from '../../shared/jobs.js';
import { START_CONNECT_TIMEOUT_MS } from '../database/reach-database.js';

/** Connections of a process to a queue in PostgreSQL: each worker listens on one, all share the others. */
export const QUEUE_CONNECTIONS = QUEUE_NAMES.length + 4;
/** Connections of a process for notifications of changed settings. */
const LISTENING = 1;
/** Connections left for migrations, backups and psql. */
const LEFT_FOR_OTHERS = 10;
const MIN_POOL_SIZE = 4;

type Sized = Pick<Config, 'processes' | 'databasePoolSize' | 'redisUrl'>;

/** The `max_connections` with which all processes can fill their pools. */
export const maxConnectionsFor = (config: Sized): number =>
  config.processes * (config.databasePoolSize + besidesPool(config)) + LEFT_FOR_OTHERS;

/** The pool of each process: DATABASE_POOL_SIZE or, if the server allows fewer connections, what it allows. */
export function poolSizeWithin(connections: number, config: Sized): number {
  const { processes, databasePoolSize } = config;
  const size = Math.floor((connections - LEFT_FOR_OTHERS) / processes) - besidesPool(config);
  if (size >= MIN_POOL_SIZE) return Math.min(size, databasePoolSize);
  const needed = maxConnectionsFor({ ...config, databasePoolSize: MIN_POOL_SIZE });
  throw new Error(
    `PROCESSES=${processes} needs a PostgreSQL that allows ${needed} connections, and it allows ${connections}: raise its max_connections or lower PROCESSES.`,
  );
}

const besidesPool = ({ redisUrl }: Sized): number => LISTENING + (redisUrl === undefined ? QUEUE_CONNECTIONS : 0);

/** The number of connections that the server allows to ordinary users. */
export async function allowedConnections(url: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: START_CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ allowed: number }>(ALLOWED);
    return rows[0]?.allowed ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** `reserved_connections` exists since PostgreSQL 16. */
const ALLOWED = `
  SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
    - coalesce(current_setting('reserved_connections', true), '0')::integer AS allowed`;
