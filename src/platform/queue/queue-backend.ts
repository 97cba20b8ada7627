import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type RedisOptions,
} from 'bullmq';
import type { Redis } from 'ioredis';
import { Pool } from 'pg';

import type { QueueClient } from './queue-client.js';

/**
 * BullMQ's backend for a queue or worker. It is chosen by the client and not by a setting of the process, because the
 * tests run services with different backends in one process.
 */
export const createQueueBackend: BackendFactory<IQueueBackend, QueueClient> = (name, options, use = {}) => {
  const { connection, ...rest } = options;
  if (connection instanceof Pool) return createPostgresBackend(name, { ...rest, connection }, use);
  const isWorker = use.withBlockingConnection === true;
  return createRedisBackend(name, { ...rest, connection: isWorker ? workerOptions(connection) : connection }, use);
};

/** A worker has connections of its own, which wait for Redis however long it is away. */
const workerOptions = (client: Redis): RedisOptions => ({
  ...client.options,
  retryStrategy: client.options.retryStrategy ?? undefined,
  maxRetriesPerRequest: null,
  socketTimeout: undefined,
});
