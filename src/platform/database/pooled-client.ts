import { Client, type ClientConfig } from 'pg';

/**
 * A connection of a pool. A broken connection fails its query, and pools replace it when it is released or idle. It may
 * emit further errors while it is being released, when nobody listens: without a listener they would end the process.
 */
export class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
