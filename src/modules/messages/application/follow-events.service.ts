import { Injectable } from '@nestjs/common';

import { type EventFilter, type FeedEvent, type FeedPosition, readFeedCursor } from '../domain/event-feed.js';
import { EventWaits } from './event-waits.service.js';
import { EventFeed, type FeedSlice } from './ports/event-feed.js';

export interface FeedQuery {
  /** Null: from now on. */
  after: string | null;
  limit: number;
  waitMs: number;
}

/** The hooks that a request passes to its reads and waits. */
export interface FeedRequest {
  /** Runs a read within the limits of its caller; `hasWaited`: the request was admitted long ago. */
  read: <T>(work: () => Promise<T>, hasWaited: boolean) => Promise<T>;
  /** The request does no work until the returned function is called. */
  pause: () => () => void;
  /** Throws if the caller may no longer see the result. Requests take turns, because many wake up together. */
  recheck: () => Promise<void>;
  /** Aborted if the client leaves. */
  signal: AbortSignal;
}

export interface FeedPage {
  items: FeedEvent[];
  end: FeedPosition;
}

/** The events of the messages of one key or of a whole account, in the order in which they become visible. */
@Injectable()
export class FollowEvents {
  /** Reads in progress: requests that wake up together want the same result. */
  private readonly reading = new Map<string, Promise<FeedSlice>>();

  constructor(
    private readonly feed: EventFeed,
    private readonly waits: EventWaits,
  ) {}

  /** The next events; waits for the first one if there is none. */
  async page(accountId: string, filter: EventFilter, query: FeedQuery, request: FeedRequest): Promise<FeedPage> {
    const { after, limit, waitMs } = query;
    if (after === null) return { items: [], end: await request.read(() => this.feed.end(accountId), false) };
    const position = readFeedCursor(after);
    const page = await request.read(() => this.feed.read(accountId, filter, position, limit), false);
    if (waitMs === 0 || page.items.length > 0) return page;
    const leave = this.waits.admit(accountId);
    const resume = request.pause();
    try {
      const next = await this.nextAfter(accountId, filter, page, { limit, waitMs }, request);
      await request.recheck();
      return next;
    } finally {
      resume();
      leave();
    }
  }

  private async nextAfter(
    accountId: string,
    filter: EventFilter,
    from: FeedSlice,
    { limit, waitMs }: Omit<FeedQuery, 'after'>,
    { read, signal }: FeedRequest,
  ): Promise<FeedPage> {
    const deadline = performance.now() + waitMs;
    for (let { end, isCut } = from; ;) {
      const ms = Math.max(deadline - performance.now(), 0);
      const { hasNews, after } =
        isCut && ms > 0 && !signal.aborted && !this.waits.isStopped
          ? { hasNews: true, after: end }
          : await this.waits.wait(accountId, filter, end, { ms, signal });
      if (!hasNews) return { items: [], end: after };
      const key = JSON.stringify([accountId, filter, String(after.transaction), after.id, limit]);
      const page = await this.readOnce(key, () => read(() => this.feed.read(accountId, filter, after, limit), true));
      if (page.items.length > 0) return page;
      ({ end, isCut } = page);
    }
  }

  private readOnce(key: string, read: () => Promise<FeedSlice>): Promise<FeedSlice> {
    const running = this.reading.get(key);
    if (running) return running;
    const started = read().finally(() => this.reading.delete(key));
    this.reading.set(key, started);
    return started;
  }
}
