import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { chunk } from '../../../shared/collections.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { AccountEvent, Outcome } from './account-event.js';
import { SeenReports } from './ports/seen-reports.js';
import { UnmatchedEvents } from './ports/unmatched-events.js';
import { ApplyEvents } from './apply-events.service.js';

/** What one proven post says. */
export interface Report {
  accountId: string;
  events: readonly AccountEvent[];
  /** Where the proof does not cover the body: a token that stands for one post. */
  onceToken: string | null;
}

/** Some of the events of a report, with all that its token proved. */
export interface Portion {
  accountId: string;
  events: readonly AccountEvent[];
  token: { hash: string; meaning: string } | null;
}

/** Repeats are known by the events' ids, so that of a post that broke off what is missing is stored when it comes again. */
export function toPortions({ accountId, events, onceToken }: Report, size: number): Portion[] {
  const token = onceToken === null ? null : { hash: hash(onceToken), meaning: hash(...events.map(contentOf)) };
  const parts = events.length === 0 ? [[]] : chunk(events, size);
  return parts.map((part) => ({ accountId, events: part, token }));
}

@Injectable()
export class StoreReports {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly settleEvents: ApplyEvents,
    private readonly unmatched: UnmatchedEvents,
    private readonly seen: SeenReports,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the events of all portions in one transaction. Answers the outcomes of each one's events, or the error that
   * its post alone is refused with: a token that proved another one before.
   */
  store(portions: readonly Portion[]): Promise<(Outcome[] | Error)[]> {
    return this.transactions.run(async () => {
      const misused = await this.findMisused(portions);
      const events = portions.flatMap((portion) => (misused.has(portion) ? [] : portion.events));
      const settled = await this.settleEvents.settle(events);
      const outcomes = settled.map(({ outcome }) => outcome);
      const lost = events.flatMap((event, i) => {
        const { outcome = 'unknown', mayMatch = false } = settled[i] ?? {};
        return outcome === 'unmatched' || outcome === 'unknown' ? [{ ...event, mayMatch }] : [];
      });
      await this.unmatched.keep(lost, this.clock.now());
      let next = 0;
      return portions.map((portion) =>
        misused.has(portion) ? MISUSED_TOKEN : outcomes.slice(next, (next += portion.events.length)),
      );
    });
  }

  private async findMisused(portions: readonly Portion[]): Promise<Set<Portion>> {
    const proven = portions.filter(({ token }) => token !== null);
    const seen = await this.seen.see(
      proven.map(({ accountId, token }) => ({
        accountId,
        key: `token ${token?.hash ?? ''}`,
        meaning: token?.meaning ?? '',
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
