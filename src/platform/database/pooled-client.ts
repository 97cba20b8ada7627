import { Client, type ClientConfig, type Pool, type PoolClient, type QueryConfig } from 'pg';

/**
 * A process that is stopped or paused within a transaction keeps its locks no longer than this. Shorter than the
 * timeout of statements on hot paths, so that other processes wait for it instead of failing.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 3_000;

/**
 * A connection of a pool. A broken connection fails its query, and pools replace it when it is released or idle. It may
 * emit further errors while it is being released, when nobody listens: without a listener they would end the process.
 */
export class PooledClient extends Client {
  constructor(config?: ClientConfig) {
    super({ idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS, ...config });
    this.on('error', () => undefined);
  }
}

/** Uses a separate connection, which is closed after an error so that nobody gets it in an unknown state. */
export async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isUsable = false;
  try {
    const result = await work(client);
    isUsable = true;
    return result;
  } finally {
    client.release(!isUsable);
  }
}

/** The types of pg lack the option. */
export const withQueryTimeout = (queryTimeoutMs: number, config: QueryConfig): QueryConfig =>
  Object.assign(config, { query_timeout: queryTimeoutMs });
