import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../../shared/batcher.js';
import { DomainError } from '../../../../shared/domain-error.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { type IntakeResult, MessageIntake } from '../../application/ports/message-intake.js';
import { capDay, type CapUsage, reachedCap } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import { ACCEPT, ACCEPT_ONCE, START_COUNTERS } from './accept.sql.js';

/** The sweep enqueues a message that still has no job after this time. */
const JOB_EXPECTED_WITHIN_MS = 60_000;
const MAX_BATCH = 200;

type Row = CapUsage & { isAccepted: boolean; isDuplicate: boolean; hasCounters: boolean };

interface Call {
  message: NewMessage;
  keyLimit: number | null;
  idempotencyKey: IdempotencyKey | undefined;
}

/** Messages that arrive while a statement commits share the next one. */
@Injectable()
export class BatchedMessageIntake extends MessageIntake {
  private readonly calls = new Batcher<Call, IntakeResult>((batch) => this.acceptAll(batch), {
    maxSize: MAX_BATCH,
    faults: POSTGRES_FAULTS,
  });
  private readonly started = { day: '', subjects: new Set<string>() };

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  accept(message: NewMessage, keyLimit: number | null, idempotencyKey?: IdempotencyKey): Promise<IntakeResult> {
    return this.calls.add({ message, keyLimit, idempotencyKey });
  }

  private async acceptAll(batch: Call[]): Promise<(IntakeResult | Error)[]> {
    const day = capDay(this.clock.now());
    const subjects = [
      ...new Set(batch.flatMap(({ message }) => [message.accountId, message.apiKeyId ?? message.accountId])),
    ].sort();
    await this.startCounters(subjects, day);
    const rows = await this.database.prepared<Row>(...statementFor(batch), [
      JSON.stringify(batch.map(toRow)),
      subjects,
      day,
    ]);
    const results = rows.map((row) => this.toResult(row));
    return rows.some(({ isDuplicate }) => isDuplicate) ? this.retryOverCap(batch, rows, results) : results;
  }

  private toResult({ isAccepted, isDuplicate, hasCounters, ...usage }: Row): IntakeResult | Error {
    if (isAccepted) return { outcome: 'accepted', usage };
    if (isDuplicate) return { outcome: 'duplicate' };
    if (!hasCounters) {
      this.started.subjects.clear(); // the next call inserts the counters again
      return new DomainError('unavailable', 'no_counter', 'The service is temporarily unavailable', 1);
    }
    const cap = reachedCap(usage);
    return cap === null ? new Error('Refused without a reason') : { outcome: 'over_cap', cap };
  }

  /** Duplicates may have been ranked before messages over a cap. A failure here does not affect the other results. */
  private async retryOverCap(
    batch: Call[],
    rows: Row[],
    results: (IntakeResult | Error)[],
  ): Promise<(IntakeResult | Error)[]> {
    const isRefused = (i: number) => !rows[i]?.isAccepted && !rows[i]?.isDuplicate;
    const refused = batch.filter((_, i) => isRefused(i));
    if (refused.length === 0) return results;
    const retried = await this.acceptAll(refused).catch((error: unknown) => refused.map(() => error as Error));
    return results.map((result, i) => (isRefused(i) ? (retried.shift() ?? result) : result));
  }

  /** Inserts the counters of a day once, before they are first locked. */
  private async startCounters(subjects: string[], day: string): Promise<void> {
    if (this.started.day !== day) Object.assign(this.started, { day, subjects: new Set() });
    const missing = subjects.filter((subject) => !this.started.subjects.has(subject));
    if (missing.length === 0) return;
    await this.database.query(START_COUNTERS, [missing, day]);
    for (const subject of missing) this.started.subjects.add(subject);
  }
}

/** The longer statement only if it is needed. */
const statementFor = (batch: Call[]): [name: string, text: string] =>
  batch.some(({ idempotencyKey }) => idempotencyKey)
    ? ['accept_messages_once', ACCEPT_ONCE]
    : ['accept_messages', ACCEPT];

const toRow = ({ message, keyLimit, idempotencyKey }: Call, position: number) => ({
  ...message,
  position,
  keyLimit,
  sweepAt: new Date(message.createdAt.getTime() + JOB_EXPECTED_WITHIN_MS),
  ...(idempotencyKey && { idempotencyKey: idempotencyKey.key, fingerprint: idempotencyKey.fingerprint }),
});
