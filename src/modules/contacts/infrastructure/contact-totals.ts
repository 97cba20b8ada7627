import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Limiter } from '../../../concurrency/limiter.js';
import { Database } from '../../../platform/database/database.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { ContactFilter } from '../application/ports/contact.repository.js';
import { countContacts, estimateContacts } from './contact.sql.js';

/** Totals up to this are exact. */
const EXACT_UP_TO = 100_000;
/** The longest that a page waits for its total. */
const MAX_WAIT_MS = 2_000;
/** A full count that takes longer is given up. */
const MAX_COUNT_MS = 30_000;
const KEPT_MS = 60_000;
const QUERY_CANCELED = '57014';
const MAX_KEPT = 1_000;
/** Limits full counts, which go on after the page has been sent. */
const COUNTS = { perKey: 1, total: 2, maxWaitingPerKey: 10, maxWaiting: 100 };

interface KeptTotal {
  total: number;
  countedAt: number;
}

/**
 * Counts the contacts that match a filter. Each process counts a large total at most once a minute, for all callers.
 * Until a slow count is complete, the total is the estimate of the planner.
 */
@Injectable()
export class ContactTotals {
  private readonly kept = new LRUCache<string, KeptTotal>({ max: MAX_KEPT });
  private readonly counting = new Map<string, Promise<KeptTotal>>();
  private readonly counts = new Limiter(COUNTS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * An exact total comes from `count`, which counts up to a limit and may read more in the same statement. It throws if
   * that takes longer than `maxMs`.
   */
  async find(
    accountId: string,
    filter: ContactFilter,
    count = (limit: number, maxMs: number) => this.count(accountId, filter, limit, maxMs),
  ): Promise<{ total: number; totalIsEstimate: boolean }> {
    const { search, status, tag, listId, topic } = filter;
    const key = JSON.stringify([accountId, search, status, tag, listId, topic?.id]);
    const kept = this.kept.get(key);
    if (kept && this.clock.now().getTime() - kept.countedAt < KEPT_MS)
      return { total: kept.total, totalIsEstimate: true };
    const total = await countQuickly(count);
    if (total !== null && total <= EXACT_UP_TO) {
      this.kept.delete(key);
      return { total, totalIsEstimate: false };
    }
    const counted = this.recount(key, accountId, filter);
    if (kept) return { total: kept.total, totalIsEstimate: true };
    const soon = total === null ? null : await Promise.race([counted, pause(MAX_WAIT_MS, null, { ref: false })]);
    return { total: soon?.total ?? (await this.estimate(accountId, filter)), totalIsEstimate: true };
  }

  /** One count serves all callers. */
  private recount(key: string, accountId: string, filter: ContactFilter): Promise<KeptTotal> {
    const running = this.counting.get(key);
    if (running) return running;
    const counted = this.countAll(accountId, filter)
      .then((total) => this.keep(key, { total, countedAt: this.clock.now().getTime() }))
      .finally(() => this.counting.delete(key));
    counted.catch(() => undefined); // a caller that waits gets the error; there may be none
    this.counting.set(key, counted);
    return counted;
  }

  private keep(key: string, total: KeptTotal): KeptTotal {
    this.kept.set(key, total);
    return total;
  }

  /** Estimates the total if counting takes too long or too many counts are waiting. */
  private async countAll(accountId: string, filter: ContactFilter): Promise<number> {
    try {
      return await this.counts.run(accountId, () => this.count(accountId, filter, null, MAX_COUNT_MS));
    } catch {
      return this.estimate(accountId, filter);
    }
  }

  private async estimate(accountId: string, filter: ContactFilter): Promise<number> {
    const { text, values } = estimateContacts(accountId, filter);
    const [row] = await this.database.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(text, values);
    return row?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  }

  private async count(accountId: string, filter: ContactFilter, limit: number | null, maxMs: number): Promise<number> {
    const { text, values } = countContacts(accountId, filter, limit);
    const [row] = await this.database.read<{ total: number }>(text, values, maxMs);
    return row?.total ?? 0;
  }
}

/** Counts up to the limit for exact totals; null if that takes too long. */
async function countQuickly(count: (limit: number, maxMs: number) => Promise<number>): Promise<number | null> {
  try {
    return await count(EXACT_UP_TO + 1, MAX_WAIT_MS);
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return null;
    throw error;
  }
}
