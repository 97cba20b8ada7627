import { Injectable } from '@nestjs/common';

import { Batcher } from '../../../shared/batcher.js';
import { Database } from '../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-faults.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { DailyCaps } from '../application/daily-caps.service.js';
import { MessageIntake } from '../application/ports/message-intake.js';
import { capDay, type CapUsage } from '../domain/daily-caps.js';
import type { NewMessage } from '../domain/delivery.js';
import type { IdempotencyKey } from '../domain/idempotency-record.js';
import { ACCEPT, ACCEPT_ONCE, START_COUNTERS } from './accept.sql.js';

/** Without a job it is found by the sweep after this long. */
const JOB_EXPECTED_WITHIN_MS = 60_000;
const MAX_BATCH = 200;

type Verdict = CapUsage & { accepted: boolean; isRepeated: boolean; known: boolean };

interface Intake {
  message: NewMessage;
  keyLimit: number | null;
  mark: IdempotencyKey | undefined;
}

/** Messages that arrive while a statement commits share the next one. */
@Injectable()
export class BatchedMessageIntake extends MessageIntake {
  private readonly intakes = new Batcher<Intake, CapUsage>((batch) => this.acceptAll(batch), {
    maxSize: MAX_BATCH,
    faults: POSTGRES_FAULTS,
  });
  private readonly started = { day: '', subjects: new Set<string>() };

  constructor(
    private readonly database: Database,
    private readonly caps: DailyCaps,
    private readonly clock: Clock,
  ) {
    super();
  }

  accept(message: NewMessage, keyLimit: number | null, mark?: IdempotencyKey): Promise<CapUsage> {
    return this.intakes.add({ message, keyLimit, mark });
  }

  private async acceptAll(batch: Intake[]): Promise<(CapUsage | Error)[]> {
    const day = capDay(this.clock.now());
    const subjects = [
      ...new Set(batch.flatMap(({ message }) => [message.accountId, message.apiKeyId ?? message.accountId])),
    ].sort();
    await this.startCounters(subjects, day);
    const verdicts = await this.database.prepared<Verdict>(...statementFor(batch), [
      JSON.stringify(batch.map(toRow)),
      subjects,
      day,
    ]);
    const answers = verdicts.map((verdict) => this.toAnswer(verdict));
    if (verdicts.some(({ isRepeated }) => isRepeated)) await this.judgeAgain(batch, verdicts, answers);
    return answers;
  }

  private toAnswer({ accepted, isRepeated, known, ...usage }: Verdict): CapUsage | Error {
    if (accepted) return usage;
    if (isRepeated) return unavailable('repeated_request');
    if (known) return this.caps.refusal(usage) ?? new Error('Refused without a reason');
    this.started.subjects.clear(); // the next call makes the counters again
    return unavailable('no_counter');
  }

  /** Those refused beside a repeated request, which may have had their place. What was accepted stands whatever happens here. */
  private async judgeAgain(batch: Intake[], verdicts: Verdict[], answers: (CapUsage | Error)[]): Promise<void> {
    const refused = batch.flatMap((intake, i) =>
      verdicts[i]?.accepted || verdicts[i]?.isRepeated ? [] : [{ intake, i }],
    );
    if (refused.length === 0) return;
    const again = await this.acceptAll(refused.map(({ intake }) => intake)).catch((error: unknown) =>
      refused.map(() => error as Error),
    );
    refused.forEach(({ i }, n) => (answers[i] = again[n] as CapUsage | Error));
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

/** The longer one only where it is needed. */
const statementFor = (batch: Intake[]): [name: string, text: string] =>
  batch.some(({ mark }) => mark) ? ['accept_messages_once', ACCEPT_ONCE] : ['accept_messages', ACCEPT];

const toRow = ({ message, keyLimit, mark }: Intake, position: number) => ({
  ...message,
  position,
  keyLimit,
  sweepAt: new Date(message.createdAt.getTime() + JOB_EXPECTED_WITHIN_MS),
  ...(mark && { idempotencyKey: mark.key, fingerprint: mark.fingerprint }),
});

const unavailable = (code: string): DomainError =>
  new DomainError('unavailable', code, 'The service is temporarily unavailable', 1);
