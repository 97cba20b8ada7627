import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../../shared/batcher.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { type IntakeResult, MessageIntake } from '../../application/ports/message-intake.js';
import { capDay } from '../../domain/daily-caps.js';
import type { NewMessage } from '../../domain/delivery.js';
import type { IdempotencyKey } from '../../domain/idempotency.js';
import { acceptMessages, type MessageCall } from './accept-statements.js';
import { type AcceptRow, isRefused, subjectsOf, UsageCounters } from './usage-counters.js';

const MAX_BATCH = 200;

/** Messages that arrive while a statement commits share the next one. */
@Injectable()
export class BatchedMessageIntake extends MessageIntake {
  private readonly calls = new Batcher<MessageCall, IntakeResult>((batch) => this.acceptAll(batch), {
    maxSize: MAX_BATCH,
    faults: POSTGRES_FAULTS,
  });
  private readonly counters: UsageCounters;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
    this.counters = new UsageCounters(database);
  }

  accept(message: NewMessage, keyLimit: number | null, idempotencyKey?: IdempotencyKey): Promise<IntakeResult> {
    return this.calls.add({ message, keyLimit, idempotencyKey });
  }

  private async acceptAll(batch: MessageCall[]): Promise<(IntakeResult | Error)[]> {
    const day = capDay(this.clock.now());
    const subjects = subjectsOf(batch.map(({ message }) => message));
    await this.counters.start(subjects, day);
    const rows = await acceptMessages(this.database, batch, { subjects, day });
    const results = rows.map((row) => this.counters.toResult(row));
    return rows.some(({ isDuplicate }) => isDuplicate) ? this.retryOverCap(batch, rows, results) : results;
  }

  /** Duplicates may have been ranked before messages over a cap. A failure here does not affect the other results. */
  private async retryOverCap(
    batch: MessageCall[],
    rows: AcceptRow[],
    results: (IntakeResult | Error)[],
  ): Promise<(IntakeResult | Error)[]> {
    const refused = batch.filter((_, i) => isRefused(rows[i]));
    if (refused.length === 0) return results;
    const retried = await this.acceptAll(refused).catch((error: unknown) => refused.map(() => error as Error));
    return results.map((result, i) => (isRefused(rows[i]) ? (retried.shift() ?? result) : result));
  }
}
