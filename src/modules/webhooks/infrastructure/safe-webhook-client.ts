import { createRequire } from 'node:module';
import { setImmediate as nextIteration } from 'node:timers/promises';

import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type undici from 'undici';
import type { Pool } from 'undici';

import {
  MAX_WEBHOOK_ORIGINS,
  NEXT_ADDRESS_AFTER_MS,
  POSTS_PER_ORIGIN,
  WEBHOOK_TIMEOUT_MS,
} from '../../../config/limits.js';
import { ALLOWED_BY, urlFault, type UrlRules } from '../../../platform/safe-http/check-url.js';
import { checkedLookup, defaultLookup, type Lookup } from '../../../platform/safe-http/checked-lookup.js';
import { limitedConnector } from '../../../platform/safe-http/limited-connector.js';
import { ReplyReader } from '../../../platform/safe-http/reply-reader.js';
import { toHttpFailure } from '../../../platform/safe-http/to-http-failure.js';
import { HttpFailure } from '../../../shared/http-failure.js';
import { Limiter } from '../../../concurrency/limiter.js';
import { WebhookClient, type WebhookPost, type WebhookReply } from '../application/ports/webhook-client.js';

const require = createRequire(import.meta.url);

const MAX_HEADER_BYTES = 16_384;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 4_000;
/** Applies even if the server offers to keep a connection for longer. */
const MAX_IDLE_TIMEOUT_MS = 10_000;

interface ClientOptions extends Pick<UrlRules, 'allowPrivate'> {
  /** Applies to new URLs; those that an account has been given before are still posted to. */
  httpsOnly?: boolean;
  lookup?: Lookup;
}

/** Requests no compression, and keeps connections alive. Reads at most 64 kB of a response, which then is complete. */
export class SafeWebhookClient extends WebhookClient implements OnApplicationShutdown {
  private readonly pools = new LRUCache<string, Pool>({
    max: MAX_WEBHOOK_ORIGINS,
    dispose: (pool) => void pool.close(),
  });
  private readonly running = new Set<Promise<unknown>>();
  private readonly lanes = new Limiter({ perKey: POSTS_PER_ORIGIN });
  private readonly allowPrivate: boolean;
  private readonly httpsOnly: boolean;
  private readonly lookup: Lookup;

  constructor({ allowPrivate, httpsOnly = false, lookup = defaultLookup(allowPrivate) }: ClientOptions) {
    super();
    this.allowPrivate = allowPrivate;
    this.httpsOnly = httpsOnly;
    this.lookup = lookup;
  }

  faultOf(url: string): string | null {
    return urlFault(url, { httpsOnly: this.httpsOnly, allowPrivate: this.allowPrivate });
  }

  async post(request: WebhookPost): Promise<WebhookReply> {
    const { lane, headers, body, isHeld, timeoutMs = WEBHOOK_TIMEOUT_MS } = request;
    const fault = urlFault(request.url, { httpsOnly: false, allowPrivate: this.allowPrivate });
    if (fault !== null) throw new HttpFailure('refused_address', `The URL ${fault}`);
    const url = new URL(request.url);
    const reader = new ReplyReader(isHeld);
    const timer = setTimeout(() => {
      reader.abort(new HttpFailure('timeout', `No complete answer within ${timeoutMs / 1_000} seconds`));
    }, timeoutMs);
    const sent = this.lanes.run(`${lane} ${url.origin}`, async () => {
      reader.throwIfAborted(); // it may have timed out in the lane
      const path = url.pathname + url.search;
      this.poolOf(url.origin).dispatch({ method: 'POST', path, headers: headers(), body }, reader);
      await reader.released;
      await nextIteration(); // until then the pool would open another connection for the next post
      return reader.reply;
    });
    // The race rejects at once if aborted: the lane may be busy, and undici reacts only when it is connected.
    const reply: Promise<WebhookReply> = Promise.race([sent, reader.reply.then(() => sent)])
      .catch((error: unknown) => {
        throw toHttpFailure(error);
      })
      .finally(() => {
        clearTimeout(timer);
        this.running.delete(reply);
      });
    this.running.add(reply);
    return reply;
  }

  /** Waits for the running posts first. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.running);
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
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
      headersTimeout: 0, // the timer of `post` covers everything
      bodyTimeout: 0,
      connect: limitedConnector({
        lookup: checkedLookup(this.lookup, this.allowPrivate, ALLOWED_BY),
        timeout: CONNECT_TIMEOUT_MS,
        allowH2: false,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      }),
    });
  }
}
