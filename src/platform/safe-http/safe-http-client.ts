import { setImmediate as nextTurn } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';

import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { urlFault } from './check-url.js';
import { checkedLookup, defaultLookup, type Lookup } from './checked-lookup.js';
import { HttpFailure, toHttpFailure } from './http-failure.js';
import { type HttpReply, ReplyReader } from './reply-reader.js';

export { HttpFailure, type HttpReply };

/** Posts of one lane that are under way to one origin (scheme, host and port), each on a connection. */
export const POSTS_PER_LANE = 64;
/** Origins whose connections are kept; those of the least used are closed once their posts have ended. */
export const MAX_ORIGINS = 500;
const MAX_HEADER_BYTES = 16_384;
const CONNECT_TIMEOUT_MS = 10_000;
/** Where a host has several addresses, the next is tried after this. */
const NEXT_ADDRESS_AFTER_MS = 1_000;
const IDLE_TIMEOUT_MS = 4_000;
/** Also where the other side offers to keep a connection for longer. */
const MAX_IDLE_TIMEOUT_MS = 10_000;

export interface HttpPost {
  url: string;
  /** Whose post it is: none waits for those of another lane. */
  lane: string;
  /** Asked for when its turn has come, so that a signature is not older than the post. */
  headers: () => Record<string, string>;
  body: string;
  /** Called right before the request is written to the connection; if false, a LeaseEndedError is thrown instead. */
  isHeld?: () => boolean;
  /** For all of it, from the call to the last byte of the answer, the wait for those before it in its lane included. */
  timeoutMs: number;
}

/**
 * Posts to URLs that accounts name, and to nothing inside the network that it runs in, unless that is allowed. Follows no
 * redirect, asks for no compression, keeps connections of the origins in use.
 */
export class SafeHttpClient {
  private readonly pools = new LRUCache<string, Pool>({
    max: MAX_ORIGINS,
    dispose: (pool) => void pool.close(),
  });
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly lanes = new KeyedSemaphore(POSTS_PER_LANE);
  private readonly allowPrivate: boolean;
  private readonly lookup: Lookup;

  constructor({ allowPrivate, lookup = defaultLookup(allowPrivate) }: { allowPrivate: boolean; lookup?: Lookup }) {
    this.allowPrivate = allowPrivate;
    this.lookup = lookup;
  }

  /**
   * Resolves to whatever status came; throws an HttpFailure where none did in time. Of an answer longer than 64 kB the
   * status counts and the rest is not read; one whose end does not come within the time is a failure.
   */
  async post(request: HttpPost): Promise<HttpReply> {
    const fault = urlFault(request.url, { httpsOnly: false, allowPrivate: this.allowPrivate });
    if (fault !== null) throw new HttpFailure('refused_address', `The URL ${fault}`);
    const url = new URL(request.url);
    const exchange = this.exchange(url, request);
    this.underWay.add(exchange);
    return exchange.finally(() => this.underWay.delete(exchange));
  }

  /** Posts that are under way end first. */
  async close(): Promise<void> {
    await Promise.allSettled(this.underWay);
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private async exchange(url: URL, request: HttpPost): Promise<HttpReply> {
    const reader = new ReplyReader(request.isHeld);
    const timer = setTimeout(() => {
      reader.abort(new HttpFailure('timeout', `No complete answer within ${request.timeoutMs / 1_000} seconds`));
    }, request.timeoutMs);
    try {
      const inTurn = this.lanes.run(`${request.lane} ${url.origin}`, () => this.send(url, request, reader));
      // An abortion is heard at once: the turn may be far, and undici looks at it no sooner than it is connected.
      return await Promise.race([inTurn, reader.reply.then(() => inTurn)]);
    } catch (error) {
      throw toHttpFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async send(url: URL, { headers, body }: HttpPost, reader: ReplyReader): Promise<HttpReply> {
    reader.throwIfAborted(); // its turn came too late
    const path = url.pathname + url.search;
    this.poolOf(url.origin).dispatch({ method: 'POST', path, headers: headers(), body }, reader);
    await reader.released;
    await nextTurn(); // only then its connection takes another post; before, a further one would be opened
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
    return new Pool(origin, {
      connections: null, // as many as the lanes have posts under way
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_TIMEOUT_MS,
      keepAliveMaxTimeout: MAX_IDLE_TIMEOUT_MS,
      headersTimeout: 0, // the one timer of `exchange` is for all
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
