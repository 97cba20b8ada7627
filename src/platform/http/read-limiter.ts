import { Injectable } from '@nestjs/common';

import { EXPORTS_PER_ACCOUNT, READ_WAIT_MS } from '../../config/limits.js';
import { Limiter, type Release, shareOf } from '../../concurrency/limiter.js';
import { Config } from '../../config/config.js';
import { DomainError, OverloadError } from '../../shared/domain-error.js';
import { RequestsInFlight } from '../metrics/requests-in-flight.js';

/** Shares of the connection pool that all reads together, and the reads of one account, may use. */
const SHARE_OF_ALL = 1 / 4;
const SHARE_OF_ACCOUNT = 1 / 8;
/** Shares of the requests in flight: waiting reads must not use up the capacity that sends need. */
const WAITING_SHARE_OF_ALL = 1 / 4;
const WAITING_SHARE_OF_ACCOUNT = 1 / 16;

/**
 * Bounds how many reads (lists, searches, aggregates, exports) run at once in this process, per account and in total,
 * so that acceptance, claims, events and logins always find a free connection. Further reads wait in a bounded queue.
 */
@Injectable()
export class ReadLimiter {
  private readonly reads: Limiter;
  private readonly exports = new Limiter({ perKey: EXPORTS_PER_ACCOUNT });

  constructor({ databasePoolSize }: Config, { limit }: RequestsInFlight) {
    this.reads = new Limiter({
      perKey: shareOf(databasePoolSize, SHARE_OF_ACCOUNT),
      total: shareOf(databasePoolSize, SHARE_OF_ALL),
      maxWaitingPerKey: shareOf(limit, WAITING_SHARE_OF_ACCOUNT),
      maxWaiting: shareOf(limit, WAITING_SHARE_OF_ALL),
      refusal: () => new OverloadError(),
    });
  }

  /** Number of waiting reads. */
  get waiting(): number {
    return this.reads.waiting;
  }

  /** Runs a read that uses one connection at a time. Throws `unavailable` if it would have to wait too long. */
  run<T>(accountId: string, read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.reads.run(accountId, read, { signal, waitMs: READ_WAIT_MS });
  }

  /**
   * Runs a read of a request that has waited for something else, within a limit of its own: the queue is never full.
   */
  runAfterWait<T>(accountId: string, read: () => Promise<T>): Promise<T> {
    return this.reads.run(accountId, read, { mayExceedQueue: true });
  }

  /**
   * Opens an export. Each of its batches runs as a separate read, so no permit is held while the client downloads.
   * Throws `limit_exceeded` if the account has too many exports open.
   */
  openExport(accountId: string): { read: <T>(read: () => Promise<T>) => Promise<T>; close: Release } {
    const close = this.exports.tryAcquire(accountId);
    if (!close) {
      const message = `${EXPORTS_PER_ACCOUNT} exports of this account are still running`;
      throw new DomainError('limit_exceeded', 'rate_limited', message, 1);
    }
    return { read: (read) => this.reads.run(accountId, read, { mayExceedQueue: true }), close };
  }
}
