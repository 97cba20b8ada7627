import { createRequire } from 'node:module';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';

import type undici from 'undici';
import type { Agent } from 'undici';

import type { LeasedExchange } from './leased-exchange.js';
import { limitedConnector } from './limited-connector.js';

const require = createRequire(import.meta.url);

const IDLE_TIMEOUT_MS = 30_000;

interface Options {
  /** Connections to each host. */
  connections: number;
  connectTimeoutMs: number;
  tls?: ConnectionOptions;
}

interface Limit {
  /** The time from the call to the end of the response. */
  limitMs: number;
  timeout: () => Error;
}

/** Keep-alive connections for requests that submit something. The first of them loads undici, which takes 8 MB. */
export class LeasedAgent {
  private readonly agent: Agent;

  constructor({ connections, connectTimeoutMs, tls }: Options) {
    const { Agent } = require('undici') as typeof undici;
    this.agent = new Agent({
      connections,
      pipelining: 1,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      headersTimeout: 0, // the timer of a request covers everything
      bodyTimeout: 0,
      connect: limitedConnector({ ...tls, timeout: connectTimeoutMs }),
    });
  }

  /** Rejects with the reason if the exchange is aborted, and with `timeout()` if it takes longer than the limit. */
  async send<Reply>(
    request: Agent.DispatchOptions,
    exchange: LeasedExchange<Reply>,
    { limitMs, timeout }: Limit,
  ): Promise<Reply> {
    const timer = setTimeout(() => {
      exchange.abort(timeout());
    }, limitMs);
    try {
      exchange.throwIfAborted();
      this.agent.dispatch(request, exchange);
      const reply = await exchange.reply;
      await nextIteration(); // until then undici would open another connection for the next request
      return reply;
    } finally {
      clearTimeout(timer);
    }
  }

  destroy(): Promise<void> {
    return this.agent.destroy();
  }
}
