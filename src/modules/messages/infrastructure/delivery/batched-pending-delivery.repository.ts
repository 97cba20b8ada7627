import { Injectable } from '@nestjs/common';

import { DELIVERY_LEASE_MS } from '../../../../config/limits.js';
import { Database } from '../../../../platform/database/database.js';
import { DatabaseClock } from '../../../../platform/database/database-clock.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../../concurrency/batcher.js';
import { idTime, newId } from '../../../../shared/ids.js';
import { Leases } from '../../../../concurrency/lease.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { retryUntilRecorded } from '../../../../concurrency/retry.js';
import {
  type Backlog,
  PendingDeliveryRepository,
  type RecordingFaults,
  type SweptLanes,
} from '../../application/ports/pending-delivery.repository.js';
import type { ClaimedMessage, DeliveryOutcome, MessageTexts, PendingDelivery } from '../../domain/delivery.js';
import type { ReportedMessage } from '../../domain/reported-event.js';
import { DISCOUNT_SCANNERS, LOCK_IDLE_MESSAGES } from '../timeline/scanner.sql.js';
import {
  BACKLOG,
  CLAIM,
  POSTPONE,
  RECORD,
  RECORD_WITHIN,
  RELEASE_HELD,
  RENEW,
  TAKE_OVERDUE,
  TEXTS,
} from './delivery.sql.js';
import { toOutcomeRow } from './outcome-row.js';

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

/** `isLocked`: not recorded, because another transaction has locked the message. */
type RecordedRow = ReportedMessage & { claimId: string; isLocked: boolean; maybeScanned: boolean };

interface Statement {
  name: string;
  text: string;
}

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
    private readonly databaseClock: DatabaseClock,
  ) {
    super();
    this.leases = new Leases({
      lengthMs: DELIVERY_LEASE_MS,
      faults: POSTGRES_FAULTS,
      maxRenewals: MAX_RENEWALS,
      claimOf: ({ claimId }) => claimId,
      renew: (messages) =>
        database.query(RENEW, [messages.map(({ id }) => id), messages.map(({ claimId }) => claimId)]),
    });
  }

  async claim(accountId: string, messageIds: readonly string[]): Promise<ClaimedMessage[]> {
    await this.clock.catchUp();
    const now = this.clock.now();
    const claimIds = messageIds.map(() => newId(now));
    const values = [messageIds, claimIds, accountId, now, this.databaseClock.steadyNow()];
    return this.leases.grant(() => this.database.prepared('claim_messages', CLAIM, values));
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
    const [row] = await this.write({ name: 'record_outcome', text: RECORD_WITHIN }, [{ message, outcome }]);
    return row ?? null;
  }

  async takeOverdueAcrossAccounts(lanes: SweptLanes, limit: number): Promise<PendingDelivery[]> {
    const now = this.clock.now();
    if (lanes === 'bulk') await this.database.query(RELEASE_HELD, [now]);
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

  private async recordAll(attempts: ReportedAttempt[]): Promise<(boolean | Error)[]> {
    const rows = await this.write({ name: 'record_outcomes', text: RECORD }, attempts);
    const claimed = new Map(rows.map((row) => [row.claimId, row]));
    const scanned = attempts.filter(({ message }) => claimed.get(message.claimId)?.maybeScanned);
    if (scanned.length > 0) await this.discountScanners(scanned);
    return attempts.map(({ message: { claimId } }) =>
      claimed.get(claimId)?.isLocked ? new Error('another transaction has locked it') : claimed.has(claimId),
    );
  }

  private write({ name, text }: Statement, attempts: Attempt[]): Promise<RecordedRow[]> {
    const now = this.clock.now();
    return this.database.prepared(name, text, [
      JSON.stringify(
        attempts.map(({ message, outcome }) => toOutcomeRow(message, outcome, now)),
        withoutNul,
      ),
      attempts.map(({ message }) => message.id),
    ]);
  }

  /**
   * Checks messages that were visited before their submission was recorded. A failure does not affect the recorded
   * outcome. Leaves out messages that were locked since: whoever records a visit or an event checks the clicks as well.
   */
  private async discountScanners(attempts: readonly ReportedAttempt[]): Promise<void> {
    const messageIds = attempts.map(({ message }) => message.id);
    try {
      await this.database.run(async () => {
        const idle = await this.database.query<{ id: string }>(LOCK_IDLE_MESSAGES, [messageIds]);
        await this.database.query(DISCOUNT_SCANNERS, [idle.map(({ id }) => id)]);
      });
    } catch (error) {
      for (const { onUncheckedClicks } of attempts) onUncheckedClicks(error as Error);
    }
  }
}

/** PostgreSQL stores no NUL characters; a relay's response may contain some. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : value;
