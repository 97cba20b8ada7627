import { createPostgresBackend, type Processor, Queue, runMigrations, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

import type { Config } from '../../config/config.js';
import { QUEUE_NAMES, type QueueName } from '../../shared/jobs.js';
import { unusableDatabase } from '../database/unusable-database.js';

/** Where BullMQ keeps its jobs. Queues throw at once where it cannot be reached; workers reconnect for ever. */
export interface QueueBackend {
  openQueue(name: QueueName): Queue;
  openWorker(name: QueueName, processor: Processor, concurrency: number): Worker;
  /** To be called when all queues and workers are closed. */
  close(): Promise<void>;
}

export const openQueueBackend = (config: Config): Promise<QueueBackend> =>
  config.redisUrl === undefined
    ? openPostgresBackend(config.databaseUrl)
    : Promise.resolve(redisBackend(config.redisUrl));

const RECONNECT_WITHIN_MS = 2_000;
/** A server that is silent for longer is taken for gone. */
const ANSWERS_WITHIN_MS = 30_000;

/** All queues of the process share a connection, which is ours to close: BullMQ closes none that never was up. */
function redisBackend(url: string): QueueBackend {
  const options = {
    connectTimeout: 2_000,
    retryStrategy: (tries: number) => Math.min(tries * 100, RECONNECT_WITHIN_MS),
  };
  const producer = new Redis(url, { ...options, maxRetriesPerRequest: 1, socketTimeout: ANSWERS_WITHIN_MS });
  return {
    openQueue: (name) => new Queue(name, { connection: producer, skipWaitingForReady: true }),
    openWorker: (name, processor, concurrency) =>
      new Worker(name, processor, {
        connection: { url, ...options, maxRetriesPerRequest: null },
        concurrency,
        runRetryDelay: RECONNECT_WITHIN_MS,
      }),
    close: () => {
      producer.disconnect();
      return Promise.resolve();
    },
  };
}

/**
 * One pool for all queues and workers of the process; each worker keeps one of its connections for LISTEN. Commits do not
 * wait for the disk: a job that a crash of PostgreSQL loses is found by the sweep, and this halves the cost of a job.
 */
async function openPostgresBackend(url: string): Promise<QueueBackend> {
  const pool = new Pool({
    connectionString: url,
    max: QUEUE_NAMES.length + 4,
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    query_timeout: ANSWERS_WITHIN_MS,
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
  return {
    openQueue: (name) => new Queue(name, { connection: pool }, createPostgresBackend) as unknown as Queue,
    openWorker: (name, processor, concurrency) =>
      new Worker(
        name,
        processor,
        { connection: pool, concurrency, runRetryDelay: RECONNECT_WITHIN_MS },
        createPostgresBackend,
      ) as unknown as Worker,
    close: () => pool.end(),
  };
}
