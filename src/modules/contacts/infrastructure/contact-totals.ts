import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { ContactFilter } from '../application/ports/contact.repository.js';
import { countContacts } from './contact.sql.js';

/** Totals up to here are exact. */
const EXACT_UP_TO = 100_000;
const KEPT_MS = 60_000;
const MAX_KEPT = 1_000;

interface KeptTotal {
  total: number;
  countedAt: number;
}

/** How many contacts a filter leaves. Large totals are counted once a minute by each process, for whoever asks. */
@Injectable()
export class ContactTotals {
  private readonly kept = new Map<string, KeptTotal>();
  private readonly counting = new Map<string, Promise<KeptTotal>>();

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
    const total = await this.count(accountId, filter, EXACT_UP_TO + 1);
    if (total <= EXACT_UP_TO) {
      this.kept.delete(key);
      return { total, totalIsEstimate: false };
    }
    const counted = this.recount(key, accountId, filter);
    return { total: (kept ?? (await counted)).total, totalIsEstimate: true };
  }

  /** Once for all who wait. An old total serves until the new one is there. */
  private recount(key: string, accountId: string, filter: ContactFilter): Promise<KeptTotal> {
    const running = this.counting.get(key);
    if (running) return running;
    const counted = this.count(accountId, filter, null)
      .then((total) => this.keep(key, { total, countedAt: this.clock.now().getTime() }))
      .finally(() => this.counting.delete(key));
    counted.catch(() => undefined); // who waits for it is told; nobody may be waiting
    this.counting.set(key, counted);
    return counted;
  }

  private keep(key: string, total: KeptTotal): KeptTotal {
    this.kept.delete(key);
    this.kept.set(key, total);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return total;
  }

  private async count(accountId: string, filter: ContactFilter, limit: number | null): Promise<number> {
    const { text, values } = countContacts(accountId, filter, limit);
    const [row] = await this.database.query<{ total: number }>(text, values);
    return row?.total ?? 0;
  }
}
