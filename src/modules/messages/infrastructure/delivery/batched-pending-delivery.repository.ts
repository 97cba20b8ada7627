import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../../shared/batcher.js';
import { ElapsedTime } from '../../../../shared/elapsed-time.js';
import { newId } from '../../../../shared/ids.js';
import { Lease } from '../../../../shared/lease.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { retryUntilRecorded } from '../../../../shared/retry-until-recorded.js';
import { PendingDeliveryRepository } from '../../application/ports/pending-delivery.repository.js';
import type { ClaimedMessage, DeliveryOutcome, PendingDelivery } from '../../domain/delivery.js';
import type { ReportedMessage } from '../../domain/reported-event.js';
import { DISCOUNT_SCANNERS, LOCK_MESSAGES } from '../timeline/scanner.sql.js';
import { CLAIM, POSTPONE, RECORD, RENEW, TAKE_OVERDUE } from './delivery.sql.js';
import { toOutcomeRow } from './outcome-row.js';

/** After this time others can claim the messages of a killed worker. A running one renews several times within it. */
export const LEASE_MS = 30_000;
/** How long an overdue message that was enqueued again is left to the queue. */
const SWEEP_AGAIN_AFTER_MS = 5 * 60_000;
const MAX_RENEWALS = 5_000;
const BATCH = { maxSize: 100, faults: POSTGRES_FAULTS };

interface Attempt {
  message: ClaimedMessage;
  outcome: DeliveryOutcome;
}

type RecordedRow = ReportedMessage & { maybeScanned: boolean };

@Injectable()
export class BatchedPendingDeliveryRepository extends PendingDeliveryRepository {
  private readonly logger = new Logger(BatchedPendingDeliveryRepository.name);
  private readonly renewals = new Batcher<ClaimedMessage, boolean>((messages) => this.renewAll(messages), {
    maxSize: MAX_RENEWALS,
    faults: POSTGRES_FAULTS,
  });
  private readonly records = new Batcher<Attempt, boolean>((attempts) => this.recordAll(attempts), BATCH);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async claim(accountId: string, messageIds: readonly string[]): Promise<ClaimedMessage[]> {
    const since = new ElapsedTime();
    await this.clock.catchUp();
    const now = this.clock.now();
    const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
    const claimIds = messageIds.map(() => newId(now));
    const values = [messageIds, claimIds, accountId, now, leaseEndsAt];
    const rows = await this.database.prepared<Omit<ClaimedMessage, 'lease'>>('claim_messages', CLAIM, values);
    return rows.map((row) => Object.assign(row, { lease: new Lease(LEASE_MS, since) }));
  }

  async postpone(accountId: string, messageIds: readonly string[], until: Date): Promise<void> {
    await this.database.query(POSTPONE, [accountId, messageIds, until]);
  }

  /** Batched: after a pause of the process, all of its messages renew their leases at once. */
  async renew(messages: readonly ClaimedMessage[]): Promise<void> {
    await Promise.all(messages.map((message) => this.renewals.add(message)));
  }

  record(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<boolean> {
    return retryUntilRecorded(
      () => this.records.add({ message, outcome }),
      POSTGRES_FAULTS,
      (error) => {
        this.logger.warn(`The outcome of message ${message.id} is not recorded yet: ${error.message}`);
      },
    );
  }

  async recordWithin(message: ClaimedMessage, outcome: DeliveryOutcome): Promise<RecordedRow | null> {
    const [row] = await this.write([{ message, outcome }]);
    return row ?? null;
  }

  takeOverdueAcrossAccounts(lanes: 'bulk' | 'others', limit: number): Promise<PendingDelivery[]> {
    const now = this.clock.now();
    return this.database.query(TAKE_OVERDUE[lanes], [now, new Date(now.getTime() + SWEEP_AGAIN_AFTER_MS), limit]);
  }

  private async renewAll(messages: ClaimedMessage[]): Promise<boolean[]> {
    const since = new ElapsedTime();
    await this.clock.catchUp();
    const rows = await this.database.query<{ id: string }>(RENEW, [
      messages.map(({ id }) => id),
      messages.map(({ claimId }) => claimId),
      new Date(this.clock.now().getTime() + LEASE_MS),
    ]);
    const held = new Set(rows.map(({ id }) => id));
    return messages.map(({ id, lease }) => {
      if (held.has(id)) lease.renew(since);
      else lease.lose();
      return held.has(id);
    });
  }

  private async recordAll(attempts: Attempt[]): Promise<boolean[]> {
    const rows = await this.write(attempts);
    await this.discountScanners(rows.filter(({ maybeScanned }) => maybeScanned).map(({ id }) => id));
    const recorded = new Set(rows.map(({ id }) => id));
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
  private async discountScanners(messageIds: readonly string[]): Promise<void> {
    if (messageIds.length === 0) return;
    try {
      await this.database.run(async () => {
        await this.database.query(LOCK_MESSAGES, [messageIds]);
        await this.database.query(DISCOUNT_SCANNERS, [messageIds]);
      });
    } catch (error) {
      this.logger.warn(
        `Clicks of messages ${messageIds.join()} were not checked for scanners: ${(error as Error).message}`,
      );
    }
  }
}

/** PostgreSQL stores no NUL characters; a relay's response may contain some. */
const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : value;
