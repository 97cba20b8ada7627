import { type Queue, runMigrations, type Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { Pool } from 'pg';

import { PooledClient } from '../database/pooled-client.js';
import type { Config } from '../../config/config.js';
import { QUEUE_CONNECTIONS } from '../processes/connection-limit.js';
import { unusableDatabase } from '../database/postgres-errors.js';
import { openRedis } from './redis-client.js';

/** The connection to BullMQ's storage. Its type decides the backend. */
export type QueueClient = Pool | Redis | Cluster;

/** The token under which the client is provided. */
export const QUEUE_CLIENT = Symbol('QueueClient');

const CONNECT_TIMEOUT_MS = 2_000;
/** A server that is silent for longer counts as unreachable. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Fails if PostgreSQL cannot be reached. Redis may become available later. */
export const openQueueClient = async (config: Config): Promise<QueueClient> =>
  config.redisUrl === undefined ? openPostgres(config.databaseUrl) : openRedis(config.redisUrl);

/** Call it after all queues and workers are closed: BullMQ does not close a client that it was given. */
export async function closeQueueClient(client: QueueClient): Promise<void> {
  if (!(client instanceof Pool)) {
    client.disconnect();
    return;
  }
  await client.end();
  // It does not wait for the connections to close, and each reports it as an error if the server stops before.
  client.removeAllListeners('error').on('error', () => undefined);
}

/**
 * One pool for all queues and workers; each worker keeps one connection for LISTEN. Commits are asynchronous, which
 * halves the cost of a job: a sweep replaces the jobs that a crash of PostgreSQL loses.
 */
async function openPostgres(url: string): Promise<Pool> {
  const pool = new Pool({
    Client: PooledClient,
    connectionString: url,
    max: QUEUE_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: 'delivery-queue',
    options: '-c search_path=bullmq -c synchronous_commit=off',
  });
  pool.setMaxListeners(0); // one of each queue and each worker
  const client = await pool.connect().catch((error: unknown) => {
    throw unusableDatabase(url, error);
  });
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
  return pool;
}

/**
 * A queue or worker on PostgreSQL whose first connection fails would never connect, so the start fails instead. On
 * Redis they connect as soon as it is available.
 */
export async function ensureReady(client: QueueClient, opened: readonly (Queue | Worker)[]): Promise<void> {
  if (client instanceof Pool) await Promise.all(opened.map((each) => each.waitUntilReady()));
}
