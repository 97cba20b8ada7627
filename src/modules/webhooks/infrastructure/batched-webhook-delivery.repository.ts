import { Injectable } from '@nestjs/common';

import { WEBHOOK_LEASE_MS } from '../../../config/limits.js';
import { Batcher } from '../../../concurrency/batcher.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { DatabaseClock } from '../../../platform/database/database-clock.js';
import { Database } from '../../../platform/database/database.js';
import { groupBy } from '../../../shared/collections.js';
import { newId } from '../../../shared/ids.js';
import { Leases } from '../../../concurrency/lease.js';
import { Clock } from '../../../shared/ports/clock.js';
import { retryUntilRecorded } from '../../../concurrency/retry.js';
import { WebhookDeliveryRepository } from '../application/ports/webhook-delivery.repository.js';
import type { AttemptOutcome } from '../domain/attempt-outcome.js';
import type { AttemptResult, ClaimedDelivery, NewDelivery } from '../domain/webhook-delivery.js';
import { FAILING_REASON } from '../domain/webhook-endpoint.js';
import { ADD, CLAIM, COUNT_WAITING, DUE_ENDPOINTS, RECORD, RELEASE, RENEW } from './webhook-delivery.sql.js';

const MAX_RENEWALS = 1_000;
const BATCH_OPTIONS = { maxSize: 100, faults: POSTGRES_FAULTS };

interface Attempt {
  delivery: ClaimedDelivery;
  result: AttemptResult;
  outcome: AttemptOutcome;
}

@Injectable()
export class BatchedWebhookDeliveryRepository extends WebhookDeliveryRepository {
  private readonly leases: Leases<ClaimedDelivery>;
  private readonly claims = new Batcher<{ endpointId: string; limit: number }, ClaimedDelivery[]>(
    (claims) => this.claimAll(claims),
    BATCH_OPTIONS,
  );
  private readonly records = new Batcher<Attempt, boolean>((attempts) => this.recordAll(attempts), BATCH_OPTIONS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
  ) {
    super();
    this.leases = new Leases({
      lengthMs: WEBHOOK_LEASE_MS,
      faults: POSTGRES_FAULTS,
      maxRenewals: MAX_RENEWALS,
      claimOf: ({ attemptId }) => attemptId,
      renew: (deliveries) =>
        database.query(RENEW, [deliveries.map(({ id }) => id), deliveries.map(({ attemptId }) => attemptId)]),
    });
  }

  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length > 0) await this.database.query(ADD, [JSON.stringify(deliveries)]);
  }

  claimAcrossAccounts(endpointId: string, limit: number): Promise<ClaimedDelivery[]> {
    return this.claims.add({ endpointId, limit });
  }

  async release(deliveries: readonly ClaimedDelivery[], onRetry: (error: Error) => void): Promise<void> {
    const values = [
      deliveries.map(({ id }) => id),
      deliveries.map(({ attemptId }) => attemptId),
      deliveries.map(({ dueAt }) => dueAt),
    ];
    await retryUntilRecorded(() => this.database.query(RELEASE, values), POSTGRES_FAULTS, onRetry);
  }

  renew(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    return this.leases.renew(deliveries);
  }

  record(
    delivery: ClaimedDelivery,
    result: AttemptResult,
    outcome: AttemptOutcome,
    onRetry: (error: Error) => void,
  ): Promise<boolean> {
    return retryUntilRecorded(() => this.records.add({ delivery, result, outcome }), POSTGRES_FAULTS, onRetry);
  }

  async listDueEndpointsAcrossAccounts(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(DUE_ENDPOINTS, [this.clock.now()]);
    return rows.map(({ id }) => id);
  }

  async countWaitingAcrossAccounts(): Promise<number> {
    const [row] = await this.database.query<{ waiting: number }>(COUNT_WAITING);
    return row?.waiting ?? 0;
  }

  /** An endpoint is in a batch only once: its lane awaits each claim before the next. */
  private async claimAll(claims: { endpointId: string; limit: number }[]): Promise<ClaimedDelivery[][]> {
    const total = claims.reduce((sum, { limit }) => sum + limit, 0);
    await this.clock.catchUp();
    const now = this.clock.now();
    const leased = await this.leases.grant(() =>
      this.database.prepared('claim_webhooks', CLAIM, [
        claims.map(({ endpointId }) => endpointId),
        claims.map(({ limit }) => limit),
        now,
        this.databaseClock.steadyNow(),
        Array.from({ length: total }, () => newId(now)),
      ]),
    );
    const claimed = groupBy(leased, ({ endpointId }) => endpointId);
    return claims.map(({ endpointId }) => claimed.get(endpointId) ?? []);
  }

  private async recordAll(attempts: Attempt[]): Promise<(boolean | Error)[]> {
    const at = this.clock.now();
    const rows = attempts.map(({ delivery: { id, attemptId, number }, result, outcome }) => ({
      ...result,
      ...outcome,
      deliveryId: id,
      id: attemptId,
      number,
      at,
    }));
    type Row = { claimId: string; isLocked: boolean };
    const claimed = await this.database.prepared<Row>('record_webhook_attempts', RECORD, [
      JSON.stringify(rows),
      rows.map(({ deliveryId }) => deliveryId),
      FAILING_REASON,
    ]);
    const isLocked = new Map(claimed.map((row) => [row.claimId, row.isLocked]));
    return attempts.map(({ delivery: { attemptId } }) =>
      isLocked.get(attemptId) ? new Error('another transaction has locked it') : isLocked.has(attemptId),
    );
  }
}
