import { Injectable } from '@nestjs/common';

import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AccountEvent } from './account-event.js';
import { SeenReports } from './ports/seen-reports.js';
import { UnmatchedEvents } from './ports/unmatched-events.js';
import { ApplyEvents } from './apply-events.service.js';

const AT_A_TIME = 500;

/** Finds the message of an event that came before the service knew the provider's id of it. */
@Injectable()
export class MatchEvents {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly settleEvents: ApplyEvents,
    private readonly unmatched: UnmatchedEvents,
    private readonly seen: SeenReports,
    private readonly clock: Clock,
  ) {}

  /** Those that were matched now. */
  async match(): Promise<AccountEvent[]> {
    const matched: AccountEvent[] = [];
    for (;;) {
      const { due, found } = await this.transactions.run(() => this.matchSome());
      matched.push(...found);
      if (due < AT_A_TIME) return matched;
    }
  }

  /** What was kept for its time; by provider. */
  async letGo(): Promise<{ provider: string; count: number }[]> {
    const now = this.clock.now();
    await this.seen.forgetAcrossAccounts(now);
    return this.unmatched.expireAcrossAccounts(now);
  }

  private async matchSome(): Promise<{ due: number; found: AccountEvent[] }> {
    const now = this.clock.now();
    const events = await this.unmatched.takeDueAcrossAccounts(now, AT_A_TIME);
    const settled = await this.settleEvents.settle(events);
    const found = events.filter((_, i) => settled[i]?.outcome !== 'unmatched');
    await this.unmatched.remove(found);
    await this.unmatched.postpone(
      events.filter((_, i) => settled[i]?.outcome === 'unmatched'),
      now,
    );
    return { due: events.length, found };
  }
}
