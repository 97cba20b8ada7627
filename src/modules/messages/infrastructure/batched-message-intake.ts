import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../platform/batching/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { isRowFault } from '../../../platform/database/postgres-errors.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DailyCaps } from '../application/daily-caps.service.js';
import { MessageIntake } from '../application/ports/message-intake.js';
import { capDay, type CapUsage } from '../domain/daily-caps.js';
import type { NewMessage } from '../domain/delivery.js';
import { ACCEPT, START_COUNTERS } from './accept.sql.js';

/** Without a job it is found by the sweep after this long. */
const JOB_EXPECTED_WITHIN_MS = 60_000;
const MAX_BATCH = 200;

type Verdict = CapUsage & { accepted: boolean; known: boolean };

interface Intake {
  message: NewMessage;
  keyLimit: number | null;
}

/** Messages that arrive while a statement commits share the next one. */
@Injectable()
export class BatchedMessageIntake extends MessageIntake {
  private readonly intakes = new Batcher<Intake, CapUsage>((batch) => this.acceptAll(batch), {
    maxSize: MAX_BATCH,
    isRowFault,
  });
  private readonly started = { day: '', subjects: new Set<string>() };

  constructor(
    private readonly database: Database,
    private readonly caps: DailyCaps,
    private readonly clock: Clock,
  ) {
    super();
  }

  accept(message: NewMessage, keyLimit: number | null): Promise<CapUsage> {
    return this.intakes.add({ message, keyLimit });
  }

  private async acceptAll(batch: Intake[]): Promise<(CapUsage | Error)[]> {
    const day = capDay(this.clock.now());
    const subjects = [
      ...new Set(batch.flatMap(({ message }) => [message.accountId, message.apiKeyId ?? message.accountId])),
    ].sort();
    await this.startCounters(subjects, day);
    const rows = await this.database.prepared<Verdict>('accept_messages', ACCEPT, [
      JSON.stringify(batch.map(toRow)),
      subjects,
      day,
    ]);
    return rows.map(({ accepted, known, ...usage }) => {
      if (accepted) return usage;
      if (known) return this.caps.refusal(usage) ?? new Error('Refused without a reason');
      this.started.subjects.clear(); // the next call makes the counters again
      return new DomainError('unavailable', 'no_counter', 'The service is temporarily unavailable', 1);
    });
  }

  /** The counters of a day are made once, before they are first locked. */
  private async startCounters(subjects: string[], day: string): Promise<void> {
    if (this.started.day !== day) Object.assign(this.started, { day, subjects: new Set() });
    const missing = subjects.filter((subject) => !this.started.subjects.has(subject));
    if (missing.length === 0) return;
    await this.database.query(START_COUNTERS, [missing, day]);
    for (const subject of missing) this.started.subjects.add(subject);
  }
}

const toRow = ({ message, keyLimit }: Intake, position: number) => ({
  ...message,
  position,
  keyLimit,
  sweepAt: new Date(message.createdAt.getTime() + JOB_EXPECTED_WITHIN_MS),
});
