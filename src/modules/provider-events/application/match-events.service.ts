import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AccountEvent } from './account-event.js';
import { ApplyEvents } from './apply-events.service.js';
import { SeenReports } from './ports/seen-reports.js';
import { UnmatchedEvents } from './ports/unmatched-events.js';

const BATCH_SIZE = 500;

/** Matches events that arrived before the service knew the provider's id of their message. */
@Injectable()
export class MatchEvents {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly applyEvents: ApplyEvents,
    private readonly unmatched: UnmatchedEvents,
    private readonly seen: SeenReports,
    private readonly clock: Clock,
  ) {}

  /** Returns the events that were matched. */
  async match(): Promise<AccountEvent[]> {
    const all: AccountEvent[] = [];
    for (;;) {
      const { due, matched } = await this.transactions.run(() => this.matchBatch());
      all.push(...matched);
      if (due < BATCH_SIZE) return all;
    }
  }

  /** Returns the number of expired unmatched events by provider. */
  async purgeExpired(): Promise<{ provider: string; count: number }[]> {
    const now = this.clock.now();
    await this.seen.expireAcrossAccounts(now);
    return this.unmatched.expireAcrossAccounts(now);
  }

  private async matchBatch(): Promise<{ due: number; matched: AccountEvent[] }> {
    const now = this.clock.now();
    const events = await this.unmatched.takeDueAcrossAccounts(now, BATCH_SIZE);
    const applied = await this.applyEvents.apply(events);
    const matched = events.filter((_, i) => applied[i]?.outcome !== 'unmatched');
    await this.unmatched.remove(matched);
    await this.unmatched.postpone(
      events.filter((_, i) => applied[i]?.outcome === 'unmatched'),
      now,
    );
    return { due: events.length, matched };
  }
}
