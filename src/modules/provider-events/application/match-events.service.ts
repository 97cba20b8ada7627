import { Injectable } from '@nestjs/common';

import { chunk, groupBy } from '../../../shared/collections.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { LOCK_WAIT_MS } from '../../../concurrency/retry.js';
import type { AccountEvent } from './account-event.js';
import { ApplyEvents } from './apply-events.service.js';
import { SeenReports } from './ports/seen-reports.js';
import { UnmatchedEvents } from './ports/unmatched-events.js';

/** The size of a batch of events of several accounts, each with an equal share. */
const BATCH_SIZE = 500;
const MAX_ACCOUNTS_PER_BATCH = 10;
/** Events of other accounts become due while those of one take long. */
const LIST_AGAIN_AFTER_MS = 5_000;

/** Called with the events of each batch that were matched, after it was committed. */
export type OnMatched = (events: readonly AccountEvent[]) => void;

/** Matches events that arrived before the service knew the provider's id of their message. */
@Injectable()
export class MatchEvents {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly applyEvents: ApplyEvents,
    private readonly unmatched: UnmatchedEvents,
    private readonly seen: SeenReports,
    private readonly faults: DatabaseFaults,
    private readonly clock: Clock,
  ) {}

  /**
   * Matches the due events of all accounts in rounds, with a bounded number of each account in a round. Throws the
   * first error of an account, such as that of locked messages, after it has matched the events of the others. Stops
   * after a round if the signal is aborted.
   */
  async match(signal: AbortSignal, onMatched: OnMatched): Promise<void> {
    const failed = new Map<string, unknown>();
    let accounts: string[];
    do {
      const due = await this.unmatched.listDueAcrossAccounts(this.clock.now());
      accounts = due.filter((accountId) => !failed.has(accountId));
      const listAgainAt = performance.now() + LIST_AGAIN_AFTER_MS;
      while (accounts.length > 0 && performance.now() < listAgainAt && !signal.aborted)
        accounts = await this.matchRound(accounts, failed, onMatched);
    } while (accounts.length > 0 && !signal.aborted);
    for (const error of failed.values()) throw error;
  }

  /** Returns the number of expired unmatched events by provider. */
  async purgeExpired(): Promise<{ provider: string; count: number }[]> {
    const now = this.clock.now();
    await this.seen.expireAcrossAccounts(now);
    return this.unmatched.expireAcrossAccounts(now);
  }

  /** Returns the accounts that may have more due events. */
  private async matchRound(
    accounts: readonly string[],
    failed: Map<string, unknown>,
    onMatched: OnMatched,
  ): Promise<string[]> {
    const remaining: string[] = [];
    const batches = chunk(accounts, MAX_ACCOUNTS_PER_BATCH); // at the end: accounts of failed ones, each alone
    for (const batch of batches) {
      try {
        const { matched, mayHaveMore } = await this.matchBatch(batch);
        onMatched(matched);
        remaining.push(...mayHaveMore);
      } catch (error) {
        if (!this.isFaultOfOne(error)) throw error;
        const [only, ...others] = batch;
        if (only !== undefined && others.length === 0) failed.set(only, error);
        else batches.push(...batch.map((accountId) => [accountId]));
      }
    }
    return remaining;
  }

  /** Runs in one transaction. */
  private matchBatch(accounts: readonly string[]): Promise<{ matched: AccountEvent[]; mayHaveMore: string[] }> {
    const share = Math.floor(BATCH_SIZE / accounts.length);
    return this.transactions.run(
      async () => {
        const now = this.clock.now();
        const events = await this.unmatched.takeDue(accounts, now, share);
        const applied = await this.applyEvents.apply(events);
        const isMatched = (_: AccountEvent, i: number) => applied[i]?.outcome !== 'unmatched';
        const matched = events.filter(isMatched);
        await this.unmatched.remove(matched);
        await this.unmatched.postpone(
          events.filter((event, i) => !isMatched(event, i)),
          now,
        );
        const taken = groupBy(events, ({ accountId }) => accountId);
        return { matched, mayHaveMore: accounts.filter((accountId) => taken.get(accountId)?.length === share) };
      },
      { maxLockWaitMs: LOCK_WAIT_MS },
    );
  }

  /** Whether one account of a batch may have caused the error. */
  private isFaultOfOne(error: unknown): boolean {
    return this.faults.isLockTimeout(error) || this.faults.isTimedOut(error) || this.faults.isRowFault(error);
  }
}
