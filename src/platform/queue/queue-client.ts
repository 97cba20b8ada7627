import { type Queue, runMigrations, type Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

import type { Config } from '../../config/config.js';
import { QUEUE_NAMES } from '../../shared/jobs.js';
import { unusableDatabase } from '../database/unusable-database.js';

/** The connection of the process to the place where BullMQ keeps its jobs. Its type says which backend that is. */
export type QueueClient = Pool | Redis;

/** The token under which the client is provided. */
export const QUEUE_CLIENT = Symbol('QueueClient');

/** A worker that lost its queue tries again after this long at most. */
export const RECONNECT_WITHIN_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A server that is silent for longer counts as unreachable. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Fails where PostgreSQL cannot be reached; Redis may be reached later. */
export const openQueueClient = async (config: Config): Promise<QueueClient> =>
  config.redisUrl === undefined ? openPostgres(config.databaseUrl) : openRedis(config.redisUrl);

/** To be called when all queues and workers are closed: BullMQ does not close a client that it was given. */
export async function closeQueueClient(client: QueueClient): Promise<void> {
  if (client instanceof Pool) await client.end();
  else client.disconnect();
}

/**
 * One pool for all queues and workers; each worker keeps one of its connections for LISTEN. Commits do not wait for the
 * disk: a job that a crash of PostgreSQL loses is found by the sweep, and this halves the cost of a job.
 */
async function openPostgres(url: string): Promise<Pool> {
  const pool = new Pool({
    connectionString: url,
    max: QUEUE_NAMES.length + 4,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: 'delivery-queue',
    options: '-c search_path=bullmq -c synchronous_commit=off',
  });
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

/** All queues share this connection. A command fails after one retry, so that nobody waits for a Redis that is away. */
const openRedis = (url: string): Redis =>
  new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (tries) => Math.min(tries * 100, RECONNECT_WITHIN_MS),
    maxRetriesPerRequest: 1,
    socketTimeout: ANSWER_TIMEOUT_MS,
  });

/**
 * A queue or worker on PostgreSQL whose first connection fails would never connect: the start fails instead. On Redis
 * they connect whenever it is there.
 */
export async function ensureReady(client: QueueClient, opened: readonly (Queue | Worker)[]): Promise<void> {
  if (client instanceof Pool) await Promise.all(opened.map((each) => each.waitUntilReady()));
}
