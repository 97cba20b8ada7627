import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Database } from '../../../platform/database/database.js';
import { FairSemaphore } from '../../../shared/fair-semaphore.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { ContactFilter } from '../application/ports/contact.repository.js';
import { countContacts, estimateContacts } from './contact.sql.js';

/** Totals up to here are exact. */
const EXACT_UP_TO = 100_000;
/** A page waits for its total so long. */
const WAITS_MS = 2_000;
const KEPT_MS = 60_000;
const QUERY_CANCELED = '57014';
const MAX_KEPT = 1_000;
/** Full counts continue after the page is answered, with separate connections. */
const COUNTS = { perKey: 1, total: 2, maxWaitingPerKey: 10, maxWaiting: 100 };

interface KeptTotal {
  total: number;
  countedAt: number;
}

/**
 * How many contacts a filter leaves. Large totals are counted once a minute by each process, for whoever asks; what takes long to
 * count is what the planner expects until then.
 */
@Injectable()
export class ContactTotals {
  private readonly kept = new LRUCache<string, KeptTotal>({ max: MAX_KEPT });
  private readonly counting = new Map<string, Promise<KeptTotal>>();
  private readonly counts = new FairSemaphore(COUNTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async of(accountId: string, filter: ContactFilter): Promise<{ total: number; totalIsEstimate: boolean }> {
    const { search, status, tag, listId } = filter;
    const key = JSON.stringify([accountId, search, status, tag, listId]);
    const kept = this.kept.get(key);
    if (kept && this.clock.now().getTime() - kept.countedAt < KEPT_MS)
      return { total: kept.total, totalIsEstimate: true };
    const total = await this.countSoon(accountId, filter);
    if (total !== null && total <= EXACT_UP_TO) {
      this.kept.delete(key);
      return { total, totalIsEstimate: false };
    }
    const counted = this.recount(key, accountId, filter);
    if (kept) return { total: kept.total, totalIsEstimate: true };
    const soon = total === null ? null : await Promise.race([counted, pause(WAITS_MS, null, { ref: false })]);
    return { total: soon?.total ?? (await this.estimate(accountId, filter)), totalIsEstimate: true };
  }

  /** Once for all who wait. An old total serves until the new one is there. */
  private recount(key: string, accountId: string, filter: ContactFilter): Promise<KeptTotal> {
    const running = this.counting.get(key);
    if (running) return running;
    const counted = this.countAll(accountId, filter)
      .then((total) => this.keep(key, { total, countedAt: this.clock.now().getTime() }))
      .finally(() => this.counting.delete(key));
    counted.catch(() => undefined); // who waits for it is told; nobody may be waiting
    this.counting.set(key, counted);
    return counted;
  }

  private keep(key: string, total: KeptTotal): KeptTotal {
    this.kept.set(key, total);
    return total;
  }

  /** Estimates the count if it takes too long or too many others wait. */
  private async countAll(accountId: string, filter: ContactFilter): Promise<number> {
    const release = await this.counts.acquire(accountId);
    try {
      if (release) return await this.count(accountId, filter, null);
    } catch {
      // It took too long.
    } finally {
      release?.();
    }
    return this.estimate(accountId, filter);
  }

  /** Up to what is exact; null where it takes long. */
  private async countSoon(accountId: string, filter: ContactFilter): Promise<number | null> {
    try {
      return await this.database.run(async () => {
        await this.database.query(`SET LOCAL statement_timeout = ${WAITS_MS}`);
        return this.count(accountId, filter, EXACT_UP_TO + 1);
      });
    } catch (error) {
      if ((error as { code?: string }).code === QUERY_CANCELED) return null;
      throw error;
    }
  }

  private async estimate(accountId: string, filter: ContactFilter): Promise<number> {
    const { text, values } = estimateContacts(accountId, filter);
    const [row] = await this.database.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(text, values);
    return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  }

  private async count(accountId: string, filter: ContactFilter, limit: number | null): Promise<number> {
    const { text, values } = countContacts(accountId, filter, limit);
    const [row] = await this.database.query<{ total: number }>(text, values);
    return row?.total ?? 0;
  }
}
