import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AccountEvent, Outcome } from './account-event.js';
import { SeenReports } from './ports/seen-reports.js';
import { UnmatchedEvents } from './ports/unmatched-events.js';
import { SettleEvents } from './settle-events.service.js';

/** What one proven post says. */
export interface Report {
  accountId: string;
  events: readonly AccountEvent[];
  /** Where the proof does not cover the body: a token that stands for one post. */
  onceToken: string | null;
}

@Injectable()
export class StoreReports {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly settleEvents: SettleEvents,
    private readonly unmatched: UnmatchedEvents,
    private readonly seen: SeenReports,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the events of all posts in one transaction. Answers the outcomes of each post's events, or the error that
   * the post alone is refused with: a token that proved another one before.
   */
  store(reports: readonly Report[]): Promise<(Outcome[] | Error)[]> {
    return this.transactions.run(async () => {
      const misused = await this.findMisused(reports);
      const events = reports.flatMap((report) => (misused.has(report) ? [] : report.events));
      const settled = await this.settleEvents.settle(events);
      const outcomes = settled.map(({ outcome }) => outcome);
      const lost = events.flatMap((event, i) => {
        const { outcome = 'unknown', mayMatch = false } = settled[i] ?? {};
        return outcome === 'unmatched' || outcome === 'unknown' ? [{ ...event, mayMatch }] : [];
      });
      await this.unmatched.keep(lost, this.clock.now());
      let next = 0;
      return reports.map((report) =>
        misused.has(report) ? MISUSED_TOKEN : outcomes.slice(next, (next += report.events.length)),
      );
    });
  }

  private async findMisused(reports: readonly Report[]): Promise<Set<Report>> {
    const proven = reports.filter(({ onceToken }) => onceToken !== null);
    const seen = await this.seen.see(
      proven.map(({ accountId, onceToken, events }) => ({
        accountId,
        key: `token ${hash(onceToken ?? '')}`,
        meaning: hash(...events.map(contentOf)),
      })),
      this.clock.now(),
    );
    return new Set(proven.filter((_, i) => seen[i] === 'misused'));
  }
}

const MISUSED_TOKEN = new DomainError('forbidden', 'token_used', 'The token was used before');

/** All that it says, but for the time: that may be the one of receipt. */
const contentOf = ({ id, type, messageId, providerMessageId, recipient, data }: AccountEvent): string =>
  JSON.stringify([id, type, messageId, providerMessageId, recipient, data]);

const hash = (...texts: string[]): string => createHash('sha256').update(JSON.stringify(texts)).digest('base64url');
