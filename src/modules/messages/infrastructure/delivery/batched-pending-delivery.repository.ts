import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../../shared/batcher.js';
import { idTime, newId } from '../../../../shared/ids.js';
import { Leases } from '../../../../shared/leases.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { retryUntilRecorded } from '../../../../shared/retry-until-recorded.js';
import {
  type Backlog,
  PendingDeliveryRepository,
  type RecordingFaults,
  type SweptLanes,
} from '../../application/ports/pending-delivery.repository.js';
import type { ClaimedMessage, DeliveryOutcome, MessageTexts, PendingDelivery } from '../../domain/delivery.js';
import type { ReportedMessage } from '../../domain/reported-event.js';
import { DISCOUNT_SCANNERS, LOCK_MESSAGES } from '../timeline/scanner.sql.js';
import { BACKLOG, CLAIM, POSTPONE, RECORD, RENEW, TAKE_OVERDUE, TEXTS } from './delivery.sql.js';
import { toOutcomeRow } from './outcome-row.js';

/** After this time others can claim the messages of a killed worker. A running one renews several times within it. */
export const LEASE_MS = 30_000;
/** How long an overdue message that was enqueued again is left to the queue. */
const SWEEP_AGAIN_AFTER_MS = 5 * 60_000;
const MAX_RENEWALS = 5_000;
const BATCH_OPTIONS = { maxSize: 100, faults: POSTGRES_FAULTS };

interface Attempt {
  message: ClaimedMessage;
  outcome: DeliveryOutcome;
}

type ReportedAttempt = Attempt & Pick<RecordingFaults, 'onUncheckedClicks'>;

type BacklogRow = Pick<Backlog, 'lane' | 'pending'> & {
  dueAt: Date | null;
  acceptedAt: Date | null;
  messageId: string | null;
};

type RecordedRow = ReportedMessage & { maybeScanned: boolean };

@Injectable()
export class BatchedPendingDeliveryRepository extends PendingDeliveryRepository {
  private readonly leases: Leases<ClaimedMessage>;
  private readonly records = new Batcher<ReportedAttempt, boolean>(
    (attempts) => this.recordAll(attempts),
    BATCH_OPTIONS,
  );

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
    this.leases = new Leases(clock, {
      lengthMs: LEASE_MS,
      faults: POSTGRES_FAULTS,
      maxRenewals: MAX_RENEWALS,
      renew: (messages, leaseEndsAt) =>
        database.query(RENEW, [messages.map(({ id }) => id), messages.map(({ claimId }) => claimId), leaseEndsAt]),
    });
  }

  claim(accountId: string, messageIds: readonly string[]): Promise<ClaimedMessage[]> {
    return this.leases.grant((now, leaseEndsAt) => {
      const claimIds = messageIds.map(() => newId(now));
      return this.database.prepared('claim_messages', CLAIM, [messageIds, claimIds, accountId, now, leaseEndsAt]);
    });
  }

  async texts({ id }: ClaimedMessage): Promise<MessageTexts | null> {
    const [texts] = await this.database.query<MessageTexts>(TEXTS, [id]);
    return texts ?? null;
  }

  async postpone(accountId: string, messageIds: readonly string[], until: Date): Promise<void> {
    await this.database.query(POSTPONE, [accountId, messageIds, until]);
  }

  renew(messages: readonly ClaimedMessage[]): Promise<void> {
    return this.leases.renew(messages);
  }

  record(
    message: ClaimedMessage,
    outcome: DeliveryOutcome,
    { onRetry, onUncheckedClicks }: RecordingFaults,
  ): Promise<boolean> {
    return retryUntilRecorded(
      () => this.records.add({ message, outcome, onUncheckedClicks }),
      POSTGRES_FAULTS,
      onRetry,
    );
  }

  async recordWithin(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<RecordedRow | null> {
    const [row] = await this.write([{ message, outcome }]);
    return row ?? null;
  }

  takeOverdueAcrossAccounts(lanes: SweptLanes, limit: number): Promise<PendingDelivery[]> {
    const now = this.clock.now();
    return this.database.query(TAKE_OVERDUE[lanes], [now, new Date(now.getTime() + SWEEP_AGAIN_AFTER_MS), limit]);
  }

  async measureBacklogAcrossAccounts(): Promise<Backlog[]> {
    const now = this.clock.now();
    const rows = await this.database.query<BacklogRow>(BACKLOG, [now]);
    return rows.map(({ lane, pending, dueAt, acceptedAt, messageId }) => {
      const since = [dueAt, acceptedAt, messageId && idTime(messageId)].filter((at) => at instanceof Date);
      const waitedMs = since.map((at) => now.getTime() - at.getTime());
      return { lane, pending, oldestDueSeconds: Math.max(0, ...waitedMs) / 1_000 };
    });
  }

  private async recordAll(attempts: ReportedAttempt[]): Promise<boolean[]> {
    const recorded = new Map((await this.write(attempts)).map((row) => [row.id, row]));
    await this.discountScanners(attempts.filter(({ message }) => recorded.get(message.id)?.maybeScanned));
    return attempts.map(({ message }) => recorded.has(message.id));
  }

  private write(attempts: Attempt[]): Promise<RecordedRow[]> {
    const now = this.clock.now();
    return this.database.prepared('record_outcomes', RECORD, [
      JSON.stringify(
        attempts.map(({ message, outcome }) => toOutcomeRow(message, outcome, now)),
        withoutNul,
      ),
      attempts.map(({ message }) => message.id),
    ]);
  }

  /** For messages visited before their submission was recorded. A failure does not affect the recorded outcome. */
  private async discountScanners(attempts: readonly ReportedAttempt[]): Promise<void> {
    if (attempts.length === 0) return;
    const messageIds = attempts.map(({ message }) => message.id);
    try {
      await this.database.run(async () => {
        await this.database.query(LOCK_MESSAGES, [messageIds]);
        await this.database.query(DISCOUNT_SCANNERS, [messageIds]);
      });
    } catch (error) {
      for (const { onUncheckedClicks } of attempts) onUncheckedClicks(error as Error);
    }
  }
}

/** PostgreSQL stores no NUL characters; a relay's response may contain some. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : value;
