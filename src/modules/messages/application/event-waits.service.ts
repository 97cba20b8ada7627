import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';

import { Limiter, type Release } from '../../../concurrency/limiter.js';
import { WAITS_PER_ACCOUNT, WAITS_PER_PROCESS } from '../../../config/limits.js';
import { chunk, groupBy } from '../../../shared/collections.js';
import { DomainError } from '../../../shared/domain-error.js';
import { type EventFilter, type FeedPosition, isAfter } from '../domain/event-feed.js';
import { EventFeed, type FeedNews } from './ports/event-feed.js';

const POLL_EVERY_MS = 250;
/**
 * A poll of very many accounts takes longer and is repeated less often; but an event must reach its client in a second.
 */
const PAUSE_PER_DURATION = 20;
const MAX_PAUSE_MS = 750;
const ACCOUNTS_PER_QUERY = 200;

interface Wait {
  accountId: string;
  filter: EventFilter;
  after: FeedPosition;
  end: (hasNews: boolean) => void;
}

export interface WaitResult {
  /** Whether there may be events that the filter selects. */
  hasNews: boolean;
  /** The position behind which to continue: nothing before it is selected. */
  after: FeedPosition;
}

interface WaitOptions {
  ms: number;
  signal: AbortSignal;
}

/** Waits for events. One poll serves all waits of the process; there is none while nobody waits. */
@Injectable()
export class EventWaits implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventWaits.name);
  private readonly perAccount = new Limiter({ perKey: WAITS_PER_ACCOUNT });
  private readonly perProcess = new Limiter({ perKey: WAITS_PER_PROCESS });
  private readonly waits = new Set<Wait>();
  private polling: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isFailing = false;
  private hasStopped = false;

  constructor(private readonly feed: EventFeed) {}

  /** Once the service stops, every wait ends at once. */
  get isStopped(): boolean {
    return this.hasStopped;
  }

  /** Number of requests that wait now. */
  get size(): number {
    return this.waits.size;
  }

  /** Admits a request that may wait; throws if there are too many. */
  admit(accountId: string): Release {
    const leaveAccount = this.perAccount.tryAcquire(accountId);
    if (!leaveAccount) {
      const message = `${WAITS_PER_ACCOUNT} requests of this account are already waiting for events`;
      throw new DomainError('limit_exceeded', 'rate_limited', message, 5);
    }
    const leaveProcess = this.perProcess.tryAcquire('');
    if (!leaveProcess) {
      leaveAccount();
      throw new DomainError('unavailable', 'overloaded', 'Too many requests are waiting for events', 5);
    }
    return () => {
      leaveAccount();
      leaveProcess();
    };
  }

  /** Ends with the first news, after the time, when the signal is aborted, or when the service stops. */
  wait(accountId: string, filter: EventFilter, after: FeedPosition, { ms, signal }: WaitOptions): Promise<WaitResult> {
    if (this.isStopped || signal.aborted) return Promise.resolve({ hasNews: false, after });
    return new Promise((resolve) => {
      const end = (hasNews: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        this.waits.delete(wait);
        resolve({ hasNews, after: wait.after });
      };
      const leave = () => {
        end(false);
      };
      const wait: Wait = { accountId, filter, after, end };
      const timer = setTimeout(leave, ms);
      signal.addEventListener('abort', leave);
      this.waits.add(wait);
      this.pollAfter(POLL_EVERY_MS);
    });
  }

  onModuleDestroy(): void {
    this.hasStopped = true;
    if (this.timer) clearTimeout(this.timer);
    for (const wait of [...this.waits]) wait.end(false);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.polling;
  }

  private pollAfter(delayMs: number): void {
    if (this.isStopped || this.waits.size === 0 || this.timer !== null || this.polling !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      const startedAt = performance.now();
      this.polling = this.poll().finally(() => {
        this.polling = null;
        const pauseMs = (performance.now() - startedAt) * PAUSE_PER_DURATION;
        this.pollAfter(Math.min(Math.max(POLL_EVERY_MS, pauseMs), MAX_PAUSE_MS));
      });
    }, delayMs);
  }

  /** Applies news only to waits that the query included: one that began meanwhile may have read less. */
  private async poll(): Promise<void> {
    try {
      const polled = [...groupBy([...this.waits], ({ accountId }) => accountId)];
      for (const accounts of chunk(polled, ACCOUNTS_PER_QUERY)) {
        const news = await this.feed.readNewsAcrossAccounts(
          new Map(accounts.map(([accountId, waits]) => [accountId, earliestOf(waits)])),
        );
        for (const [accountId, waits] of accounts) this.apply(news.get(accountId), waits);
      }
      this.isFailing = false;
    } catch (error) {
      const { message, stack } = error as Error;
      if (!this.isFailing) this.logger.error(`Waiting requests do not get new events: ${message}`, stack);
      this.isFailing = true;
    }
  }

  private apply(news: FeedNews | undefined, waits: readonly Wait[]): void {
    if (!news) return;
    for (const wait of waits) {
      if (news.isCut || isSelected(wait.filter, news)) wait.end(true);
      else if (isAfter(news.end, wait.after)) wait.after = news.end;
    }
  }
}

const earliestOf = (waits: readonly Wait[]): FeedPosition =>
  waits.map(({ after }) => after).reduce((a, b) => (isAfter(a, b) ? b : a));

const isSelected = ({ apiKeyId, types }: EventFilter, news: FeedNews): boolean =>
  (apiKeyId === null || news.apiKeyIds.has(apiKeyId)) && (types?.some((type) => news.types.has(type)) ?? true);
