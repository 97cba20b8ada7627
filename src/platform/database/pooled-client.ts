import { Client, type ClientConfig } from 'pg';

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
