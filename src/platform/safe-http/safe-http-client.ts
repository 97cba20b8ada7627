import { createRequire } from 'node:module';
import { setImmediate as nextIteration } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';
import type undici from 'undici';
import type { Pool } from 'undici';

import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { urlFault } from './check-url.js';
import { checkedLookup, defaultLookup, type Lookup } from './checked-lookup.js';
import { HttpFailure, toHttpFailure } from './http-failure.js';
import { type HttpReply, ReplyReader } from './reply-reader.js';

export { HttpFailure, type HttpReply };

const require = createRequire(import.meta.url);

/** Concurrent posts per lane and origin (scheme, host and port), each on a connection. */
export const POSTS_PER_LANE = 64;
/** Origins with open connections. Those of the least recently used origin are closed after their posts have ended. */
export const MAX_ORIGINS = 500;
const MAX_HEADER_BYTES = 16_384;
const CONNECT_TIMEOUT_MS = 10_000;
/** If a host has several addresses, the next one is tried after this. */
const NEXT_ADDRESS_AFTER_MS = 1_000;
const IDLE_TIMEOUT_MS = 4_000;
/** Applies even if the server offers to keep a connection for longer. */
const MAX_IDLE_TIMEOUT_MS = 10_000;

export interface HttpPost {
  url: string;
  /** Posts of different lanes never wait for each other. */
  lane: string;
  /** Called when a connection is free, so that a signature is not older than the post. */
  headers: () => Record<string, string>;
  body: string;
  /** Called right before the request is written to the connection; if false, a LeaseEndedError is thrown instead. */
  isHeld?: () => boolean;
  /** From the call to the last byte of the response, including the wait in the lane. */
  timeoutMs: number;
}

/**
 * Posts to URLs chosen by accounts, but not to addresses inside its own network unless that is allowed. Follows no
 * redirects, requests no compression, and keeps connections alive.
 */
export class SafeHttpClient {
  private readonly pools = new LRUCache<string, Pool>({
    max: MAX_ORIGINS,
    dispose: (pool) => void pool.close(),
  });
  private readonly running = new Set<Promise<unknown>>();
  private readonly lanes = new KeyedSemaphore(POSTS_PER_LANE);
  private readonly allowPrivate: boolean;
  private readonly lookup: Lookup;

  constructor({ allowPrivate, lookup = defaultLookup(allowPrivate) }: { allowPrivate: boolean; lookup?: Lookup }) {
    this.allowPrivate = allowPrivate;
    this.lookup = lookup;
  }

  /**
   * Resolves to the response, whatever its status. Throws an HttpFailure if none is complete in time. A response longer
   * than 64 kB is not read further and counts as complete.
   */
  async post(request: HttpPost): Promise<HttpReply> {
    const fault = urlFault(request.url, { httpsOnly: false, allowPrivate: this.allowPrivate });
    if (fault !== null) throw new HttpFailure('refused_address', `The URL ${fault}`);
    const url = new URL(request.url);
    const exchange = this.exchange(url, request);
    this.running.add(exchange);
    return exchange.finally(() => this.running.delete(exchange));
  }

  /** Waits for the running posts first. */
  async close(): Promise<void> {
    await Promise.allSettled(this.running);
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private async exchange(url: URL, request: HttpPost): Promise<HttpReply> {
    const reader = new ReplyReader(request.isHeld);
    const timer = setTimeout(() => {
      reader.abort(new HttpFailure('timeout', `No complete answer within ${request.timeoutMs / 1_000} seconds`));
    }, request.timeoutMs);
    try {
      const sent = this.lanes.run(`${request.lane} ${url.origin}`, () => this.send(url, request, reader));
      // The race rejects at once if aborted: the lane may be busy, and undici reacts only when it is connected.
      return await Promise.race([sent, reader.reply.then(() => sent)]);
    } catch (error) {
      throw toHttpFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async send(url: URL, { headers, body }: HttpPost, reader: ReplyReader): Promise<HttpReply> {
    reader.throwIfAborted(); // it may have timed out in the lane
    const path = url.pathname + url.search;
    this.poolOf(url.origin).dispatch({ method: 'POST', path, headers: headers(), body }, reader);
    await reader.released;
    await nextIteration(); // until then the pool would open another connection for the next post
    return reader.reply;
  }

  private poolOf(origin: string): Pool {
    const cached = this.pools.get(origin);
    if (cached) return cached;
    const pool = this.open(origin);
    this.pools.set(origin, pool);
    return pool;
  }

  private open(origin: string): Pool {
    // Loaded by the first post: it takes 8 MB.
    const { Pool } = require('undici') as typeof undici;
    return new Pool(origin, {
      connections: null, // limited by the lanes
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: MAX_IDLE_TIMEOUT_MS,
      headersTimeout: 0, // the timer of `exchange` covers everything
      bodyTimeout: 0,
      connect: {
        lookup: checkedLookup(this.lookup, this.allowPrivate),
        timeout: CONNECT_TIMEOUT_MS,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      },
    });
  }
}
