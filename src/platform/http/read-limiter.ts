import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { DomainError } from '../../shared/domain-error.js';
import { type AcquireOptions, FairSemaphore, type Release } from '../../shared/fair-semaphore.js';
import { shareOf } from '../../shared/share-of.js';
import { overloaded, RequestsInFlight } from '../metrics/requests-in-flight.js';

/** Shares of the connection pool that all reads together, and the reads of one account, may use. */
const SHARE_OF_ALL = 1 / 4;
const SHARE_OF_ACCOUNT = 1 / 8;
/** Shares of the requests in flight: waiting reads must not use up the capacity that sends need. */
const WAITING_SHARE_OF_ALL = 1 / 4;
const WAITING_SHARE_OF_ACCOUNT = 1 / 16;
const WAIT_MS = 10_000;
const EXPORTS_PER_ACCOUNT = 4;

/**
 * Bounds how many reads (lists, searches, aggregates, exports) run at once in this process, per account and in total,
 * so that acceptance, claims, events and logins always find a free connection. Further reads wait in a bounded queue.
 */
@Injectable()
export class ReadLimiter {
  private readonly permits: FairSemaphore;
  private readonly exports = new Map<string, number>();

  constructor({ databasePoolSize }: Config, { limit }: RequestsInFlight) {
    this.permits = new FairSemaphore({
      perKey: shareOf(databasePoolSize, SHARE_OF_ACCOUNT),
      total: shareOf(databasePoolSize, SHARE_OF_ALL),
      maxWaitingPerKey: shareOf(limit, WAITING_SHARE_OF_ACCOUNT),
      maxWaiting: shareOf(limit, WAITING_SHARE_OF_ALL),
    });
  }

  /** Number of waiting reads. */
  get waiting(): number {
    return this.permits.waiting;
  }

  /** Runs a read that uses one connection at a time. Throws `unavailable` if it would have to wait too long. */
  async run<T>(accountId: string, read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.runWith(accountId, read, { signal, waitMs: WAIT_MS });
  }

  /**
   * Opens an export. Each of its batches runs as a separate read, so no permit is held while the client downloads.
   * Throws `limit_exceeded` if the account has too many exports open.
   */
  openExport(accountId: string): { read: <T>(read: () => Promise<T>) => Promise<T>; close: Release } {
    const open = this.exports.get(accountId) ?? 0;
    if (open >= EXPORTS_PER_ACCOUNT) {
      const message = `${EXPORTS_PER_ACCOUNT} exports of this account are still running`;
      throw new DomainError('limit_exceeded', 'too_many_exports', message, 1);
    }
    this.exports.set(accountId, open + 1);
    let isClosed = false;
    return {
      read: (read) => this.runWith(accountId, read, { mayExceedQueue: true }),
      close: () => {
        if (isClosed) return;
        isClosed = true;
        const left = (this.exports.get(accountId) ?? 0) - 1;
        if (left > 0) this.exports.set(accountId, left);
        else this.exports.delete(accountId);
      },
    };
  }

  private async runWith<T>(accountId: string, read: () => Promise<T>, options: AcquireOptions): Promise<T> {
    const release = await this.permits.acquire(accountId, options);
    if (!release) throw overloaded();
    try {
      return await read();
    } finally {
      release();
    }
  }
}
