import { connect, type Socket } from 'node:net';

import {
  Client,
  type ClientBase,
  type ClientConfig,
  type Connection,
  type Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg';

import { IDLE_IN_TRANSACTION_TIMEOUT_MS } from '../../config/limits.js';
import { isTimedOut } from './postgres-errors.js';

/**
 * A connection of a pool. A broken connection fails its query, and pools replace it when it is released or idle. It may
 * emit further errors while it is being released, when nobody listens: without a listener they would end the process.
 */
export class PooledClient extends Client {
  declare readonly processID: number;
  declare readonly secretKey: number;
  declare readonly connection: Connection & { stream: Socket };

  constructor(config?: ClientConfig) {
    super({ idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS, ...config });
    this.on('error', () => undefined);
  }
}

/** The time limit for the answer to a statement that was canceled. */
const CANCEL_MS = 1_000;
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Runs a statement that the server is asked to cancel after the time. Its error (57014) then means that it has changed
 * nothing, and a statement that was just being committed succeeds. The outcome is unknown if the server does not answer
 * within CANCEL_MS, or if it has committed without the synchronous standbys that it was waiting for, of which it only
 * warns.
 */
export async function queryWithin(pool: Pool, timeoutMs: number, query: QueryConfig): Promise<QueryResult> {
  const client = (await pool.connect()) as PoolClient & PooledClient;
  const canceled = new AbortController();
  let warning: string | undefined;
  let timer = setTimeout(() => {
    canceled.abort();
    client.once('notice', ({ message }: { message?: string }) => (warning = message));
    cancelStatementOf(client);
    // Begins here: after a pause of this process, the answer may have arrived, and is read before the timer ends.
    timer = setTimeout(() => client.connection.stream.destroy(), CANCEL_MS);
  }, timeoutMs);
  let hasFailed = true;
  try {
    const result = await client.query(withQueryTimeout(NO_TIMEOUT_MS, query));
    if (warning !== undefined) throw new Error(warning);
    hasFailed = false;
    return result;
  } catch (error) {
    if (!canceled.signal.aborted || isTimedOut(error)) throw error;
    throw new Error('Query read timeout', { cause: error });
  } finally {
    clearTimeout(timer);
    client.release(hasFailed || canceled.signal.aborted); // or the request might cancel the next statement instead
  }
}

/**
 * Runs a statement of a transaction. After the time, the connection is closed, which ends the transaction; the server,
 * which does not notice that while the statement waits for a lock, is asked to cancel it. Both at once: the request
 * would cancel the next statement of the connection instead.
 */
export async function queryOrClose(client: ClientBase, timeoutMs: number, query: QueryConfig): Promise<QueryResult> {
  const timer = setTimeout(() => {
    cancelStatementOf(client as PooledClient);
    (client as PooledClient).connection.stream.destroy();
  }, timeoutMs);
  try {
    return await client.query(withQueryTimeout(NO_TIMEOUT_MS, query));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Sends a CancelRequest (PostgreSQL documentation, Frontend/Backend Protocol, Message Formats) on a connection of its
 * own, without TLS, to the address of the statement's: its host name may have several. It has no answer; if it does
 * not arrive, the statement runs into its other timeout.
 */
function cancelStatementOf({ connection, host, port, processID, secretKey }: PooledClient): void {
  const request = Buffer.alloc(16);
  [request.length, 80_877_102, processID, secretKey].forEach((field, i) => request.writeInt32BE(field, 4 * i));
  const { remoteAddress, remotePort = port } = connection.stream;
  const socket = remoteAddress ? connect(remotePort, remoteAddress) : connect(`${host}/.s.PGSQL.${port}`);
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  socket.on('error', () => undefined);
  socket.end(request);
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

/** Adds an option that the types of pg lack. */
export const withQueryTimeout = (queryTimeoutMs: number, config: QueryConfig): QueryConfig =>
  Object.assign(config, { query_timeout: queryTimeoutMs });

/**
 * Begins a transaction of reads. Joins of partitioned tables are planned month by month: otherwise the planner expects
 * each lookup in the other table to search all months, and reads the whole log to avoid it.
 */
export const beginRead = (timeoutMs: number): string =>
  `BEGIN READ ONLY; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL enable_partitionwise_join = on`;
