import { once } from 'node:events';

import { Cluster, type ClusterOptions, type Command, Redis, type RedisOptions } from 'ioredis';

import { parseRedisUrl, type RedisAddress } from '../../shared/redis-url.js';

/** A client that has lost its connection retries after this time at most. */
export const RECONNECT_WITHIN_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A server that is silent for longer counts as unreachable. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The timeout if another server may take over: connections to a host that has failed do not end. */
const FAILOVER_ANSWER_TIMEOUT_MS = 5_000;

const CONNECTION = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: ANSWER_TIMEOUT_MS,
} satisfies RedisOptions;

const reconnectAfter = (tries: number): number => Math.min(tries * 100, RECONNECT_WITHIN_MS);

/** The client of all queues and, with Sentinels or a Cluster, of the workers. Redis may become available later. */
export async function openRedis(url: string): Promise<Redis | Cluster> {
  const address = parseRedisUrl(url);
  if (!address) throw new Error('REDIS_URL is malformed');
  if (address.kind === 'server') return openServer(address);
  const client = address.kind === 'sentinel' ? openMaster(address) : openCluster(address);
  client.on('error', () => undefined); // each queue logs it
  await once(client, 'ready', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) }).catch(() => undefined);
  return client;
}

type ClientStream = Parameters<Redis['sendCommand']>[1];

/** The message by which BullMQ recognises an error of the connection. */
const CONNECTION_CLOSED = 'Connection is closed.';
/** The error of a command while there is no connection. */
const NOT_CONNECTED = /enableOfflineQueue options is false/;

/**
 * Replaces the error of a command without a connection by the one after which BullMQ's workers wait. After another one
 * they fetch the next job at once: as that fails without I/O, they would never return to the event loop and the client
 * could not connect again.
 */
function withKnownError(command: Command): Command {
  const { reject } = command;
  command.reject = (error) => {
    reject(NOT_CONNECTED.test(error.message) ? new Error(CONNECTION_CLOSED) : error);
  };
  return command;
}

/** BullMQ duplicates the client for the blocking command of a worker, which waits for Redis and for a job. */
class MasterClient extends Redis {
  override sendCommand(command: Command, ...rest: [stream?: ClientStream]): unknown {
    return super.sendCommand(withKnownError(command), ...rest);
  }

  override duplicate(options: Partial<RedisOptions> = {}): Redis {
    return super.duplicate({
      ...options,
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      socketTimeout: undefined,
    });
  }
}

/** The Cluster counterpart of `MasterClient`. */
class ClusterClient extends Cluster {
  override sendCommand(command: Command, ...rest: [stream?: ClientStream, node?: unknown]): unknown {
    return super.sendCommand(withKnownError(command), ...rest);
  }

  override duplicate(nodes: [] = [], options: Partial<ClusterOptions> = {}): Cluster {
    return super.duplicate(nodes, {
      ...options,
      enableOfflineQueue: true,
      redisOptions: { ...options.redisOptions, socketTimeout: undefined },
    });
  }
}

/** A command fails after one retry, so that no request waits while Redis is out of reach. */
const openServer = ({ url }: RedisAddress & { kind: 'server' }): Redis =>
  new Redis(url, { ...CONNECTION, retryStrategy: reconnectAfter, maxRetriesPerRequest: 1 });

/** Without a connection, commands fail immediately: the search for a master does not count as retries. */
const openMaster = (address: RedisAddress & { kind: 'sentinel' }): Redis =>
  new MasterClient({
    ...CONNECTION,
    socketTimeout: FAILOVER_ANSWER_TIMEOUT_MS,
    ...credentialsOf(address),
    sentinels: address.sentinels,
    name: address.master,
    db: address.db,
    ...(address.sentinelUsername === undefined ? {} : { sentinelUsername: address.sentinelUsername }),
    ...(address.sentinelPassword === undefined ? {} : { sentinelPassword: address.sentinelPassword }),
    ...(address.tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    sentinelRetryStrategy: reconnectAfter,
    retryStrategy: reconnectAfter,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  });

/** While the Cluster is out of reach, commands fail immediately; while a master is replaced, they are retried. */
const openCluster = (address: RedisAddress & { kind: 'cluster' }): Cluster =>
  new ClusterClient(address.nodes, {
    redisOptions: {
      ...CONNECTION,
      socketTimeout: FAILOVER_ANSWER_TIMEOUT_MS,
      ...credentialsOf(address),
      ...(address.tls ? { tls: {} } : {}),
    },
    clusterRetryStrategy: reconnectAfter,
    enableOfflineQueue: false,
    // Hosts are not replaced by their addresses, which are not in the certificates of the nodes.
    dnsLookup: (host, callback) => {
      callback(null, host);
    },
  });

const credentialsOf = ({ username, password }: { username?: string; password?: string }) => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
});
