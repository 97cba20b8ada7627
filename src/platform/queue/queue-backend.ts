import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type RedisOptions,
} from 'bullmq';
import { Cluster, type Redis } from 'ioredis';
import { Pool } from 'pg';

import type { QueueClient } from './queue-client.js';

/**
 * Creates the BullMQ backend of a queue or worker. The type of the client decides, not a setting of the process,
 * because tests run services with different backends in one process.
 */
export const createQueueBackend: BackendFactory<IQueueBackend, QueueClient> = (name, options, use = {}) => {
  const { connection, ...rest } = options;
  if (connection instanceof Pool) return createPostgresBackend(name, { ...rest, connection }, use);
  if (connection instanceof Cluster) {
    const tagged = { ...rest, connection, prefix: hashTag(name) };
    return createRedisBackend(name, tagged, use);
  }
  if (connection.options.sentinels) return createRedisBackend(name, { ...rest, connection }, use);
  const isWorker = use.withBlockingConnection === true;
  return createRedisBackend(name, { ...rest, connection: isWorker ? workerOptions(connection) : connection }, use);
};

/**
 * The scripts of BullMQ use several keys of a queue, which a Cluster must keep in one slot. With a tag for each queue,
 * the queues spread over the nodes.
 */
const hashTag = (name: string): string => `{${name}}`;

/** A worker has its own connections, which wait for Redis indefinitely. */
const workerOptions = (client: Redis): RedisOptions => ({
  ...client.options,
  retryStrategy: client.options.retryStrategy ?? undefined,
  maxRetriesPerRequest: null,
  socketTimeout: undefined,
});
