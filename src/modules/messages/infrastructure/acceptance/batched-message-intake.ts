import { Injectable } from '@nestjs/common';

import { Config } from '../../../../config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Clock } from '../../../../shared/ports/clock.js';
import {
  type IntakeConditions,
  type MessageIntakeResult,
  MessageIntake,
} from '../../application/ports/message-intake.js';
import { capDay } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { Locking } from './accept.sql.js';
import { acceptMessages, type MessageCall, type MessageRow } from './accept-statements.js';
import { AccountBatcher, type LOCKED, retryLocking } from './account-batcher.js';
import { RecentUsage } from './recent-usage.js';
import { subjectsOf, UsageCounters } from './usage-counters.js';

/** Messages in one statement, fewer if they are long. */
const MAX_BATCH = 200;
/** In characters of their contents. A longer message is a batch of its own. */
const MAX_LENGTH = 1_000_000;
const MIN_SIZE = MAX_LENGTH / MAX_BATCH;

type Result = MessageIntakeResult | Error | typeof LOCKED;

/** Messages that arrive while a statement commits share the next one. */
@Injectable()
export class BatchedMessageIntake extends MessageIntake {
  private readonly calls: AccountBatcher<MessageCall, MessageIntakeResult>;
  private readonly counters: UsageCounters;

  constructor(
    private readonly database: Database,
    private readonly recent: RecentUsage,
    private readonly clock: Clock,
    { databasePoolSize: poolSize }: Config,
  ) {
    super();
    this.calls = new AccountBatcher(
      ({ message }) => message.accountId,
      (batch, locking) => this.acceptAll(batch, locking),
      { poolSize, maxSize: MAX_LENGTH, sizeOf, faults: POSTGRES_FAULTS },
    );
    this.counters = new UsageCounters(database);
  }

  accept(message: NewMessage, conditions: IntakeConditions): Promise<MessageIntakeResult> {
    return this.calls.add({ message, ...conditions });
  }

  private async acceptAll(batch: MessageCall[], locking: Locking): Promise<Result[]> {
    const day = capDay(this.clock.now());
    const subjects = subjectsOf(batch.map(({ message }) => message));
    await this.counters.start(subjects, day);
    const rows = await acceptMessages(this.database, batch, { subjects, day, locking });
    const results = rows.map((row) => this.toResult(row, locking));
    batch.forEach((call, i) => {
      this.remember(call, day, results[i]);
    });
    return rows.some(({ isDuplicate }) => isDuplicate) ? this.retryOverCap(batch, results, locking) : results;
  }

  private toResult(row: MessageRow, locking: Locking): Result {
    return row.isSuppressed ? { outcome: 'suppressed' } : this.counters.toResultOf(row, locking);
  }

  private remember({ message: { accountId, apiKeyId } }: MessageCall, day: string, result: Result | undefined): void {
    if (apiKeyId === null || typeof result !== 'object' || result instanceof Error) return;
    if (result.outcome === 'accepted') this.recent.record({ accountId, apiKeyId }, day, result.usage);
    else this.recent.forget(accountId, day);
  }

  /** Duplicates may have been ranked before messages over a cap. A failure here does not affect the other results. */
  private async retryOverCap(batch: MessageCall[], results: Result[], locking: Locking): Promise<Result[]> {
    const refused = batch.filter((_, i) => isOverCap(results[i]));
    if (refused.length === 0) return results;
    const retried = await this.acceptAll(refused, retryLocking(locking)).catch((error: unknown) =>
      refused.map(() => error as Error),
    );
    return results.map((result) => (isOverCap(result) ? (retried.shift() ?? result) : result));
  }
}

const sizeOf = ({ message: { html, text } }: MessageCall): number =>
  Math.max(MIN_SIZE, (html?.length ?? 0) + (text?.length ?? 0));

const isOverCap = (result: Result | undefined): boolean =>
  typeof result === 'object' && 'outcome' in result && result.outcome === 'over_cap';
