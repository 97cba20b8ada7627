import type { Database } from '../../../../platform/database/database.js';
import { DomainError } from '../../../../shared/domain-error.js';
import type { IntakeResult } from '../../application/ports/message-intake.js';
import { type CapUsage, reachedCap } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';
import { type Locking, START_COUNTERS } from './accept.sql.js';
import { LOCKED } from './account-batcher.js';

/** What the statements that accept messages return. */
export type AcceptRow = CapUsage & { isAccepted: boolean; isDuplicate: boolean; hasCounters: boolean };

/** Account and key of each message, which have the counters, sorted. */
export const subjectsOf = (messages: readonly Pick<NewMessage, 'accountId' | 'apiKeyId'>[]): string[] =>
  [...new Set(messages.flatMap(({ accountId, apiKeyId }) => [accountId, apiKeyId ?? accountId]))].sort();

export const isRefused = (row: AcceptRow | undefined): boolean => !row?.isAccepted && !row?.isDuplicate;

/** Inserts the counters of a day once, before they are first locked. */
export class UsageCounters {
  private readonly started = { day: '', subjects: new Set<string>() };

  constructor(private readonly database: Database) {}

  async start(subjects: readonly string[], day: string): Promise<void> {
    if (this.started.day !== day) Object.assign(this.started, { day, subjects: new Set() });
    const { subjects: started } = this.started; // of this day, even if the next one begins meanwhile
    const missing = subjects.filter((subject) => !started.has(subject));
    if (missing.length === 0) return;
    await this.database.query(START_COUNTERS, [missing, day]);
    for (const subject of missing) started.add(subject);
  }

  /** LOCKED only for a statement that skips locked counters. */
  toResultOf(row: AcceptRow, locking: Locking): IntakeResult | Error | typeof LOCKED {
    const isLocked = locking === 'skip' && !row.isDuplicate && !row.hasCounters;
    return isLocked ? LOCKED : this.toResult(row);
  }

  toResult({ isAccepted, isDuplicate, hasCounters, ...usage }: AcceptRow): IntakeResult | Error {
    if (isAccepted) return { outcome: 'accepted', usage };
    if (isDuplicate) return { outcome: 'duplicate' };
    if (!hasCounters) {
      this.started.subjects.clear(); // the next call inserts the counters again
      return new DomainError('unavailable', 'no_counter', 'The service is temporarily unavailable', 1);
    }
    const cap = reachedCap(usage);
    return cap === null ? new Error('Refused without a reason') : { outcome: 'over_cap', cap };
  }
}
