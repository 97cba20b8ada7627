import { Logger } from '@nestjs/common';
import { type Queue, runMigrations, type Worker } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { Pool } from 'pg';

import { onConnection, PooledClient } from '../database/pooled-client.js';
import type { Config } from '../../config/config.js';
import { QUEUE_CONNECTIONS } from '../processes/connection-limit.js';
import { reachDatabase, START_CONNECT_TIMEOUT_MS } from '../database/reach-database.js';
import { openRedis } from './redis-client.js';

/** The connection to BullMQ's storage. Its type decides the backend. */
export type QueueClient = Pool | Redis | Cluster;

/** The token under which the client is provided. */
export const QUEUE_CLIENT = Symbol('QueueClient');

/** A server that is silent for longer counts as unreachable. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Waits for PostgreSQL as the start does. Redis may become available later. */
export const openQueueClient = async (config: Config): Promise<QueueClient> =>
  config.redisUrl === undefined ? openPostgres(config) : openRedis(config.redisUrl);

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
async function openPostgres(config: Config): Promise<Pool> {
  const pool = new Pool({
    Client: PooledClient,
    connectionString: config.databaseUrl,
    max: QUEUE_CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: START_CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: 'delivery-queue',
    options: '-c search_path=bullmq -c synchronous_commit=off',
  });
  pool.setMaxListeners(0); // one of each queue and each worker
  const warn = (line: string): void => {
    new Logger('Queue').warn(line);
  };
  await reachDatabase(config, warn, () => onConnection(pool, (client) => runMigrations(client)));
  return pool;
}

/**
 * A queue or worker on PostgreSQL whose first connection fails would never connect, so the start fails instead. On
 * Redis they connect as soon as it is available.
 */
export async function ensureReady(client: QueueClient, opened: readonly (Queue | Worker)[]): Promise<void> {
  if (client instanceof Pool) await Promise.all(opened.map((each) => each.waitUntilReady()));
}
