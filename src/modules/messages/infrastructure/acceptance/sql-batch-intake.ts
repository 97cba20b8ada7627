import { Injectable } from '@nestjs/common';

import { BATCHES_PER_ACCOUNT, BATCH_WAIT_MS } from '../../../../config/limits.js';
import { Config } from '../../../../config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { OverloadError } from '../../../../shared/domain-error.js';
import { Limiter, shareOf } from '../../../../concurrency/limiter.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { LOCK_WAIT_MS, retryWhileLocked } from '../../../../concurrency/retry.js';
import { BatchIntake, type BatchResult, type NewBatch } from '../../application/ports/batch-intake.js';
import { DeliveryJobs } from '../../application/ports/pending-delivery.repository.js';
import type { BatchEntry } from '../../domain/batch.js';
import { capDay, type CapUsage, type ReachedCap } from '../../domain/daily-caps.js';
import { dueDeliveries, isPlain } from '../../domain/message-group.js';
import { STORE_BATCH_KEY } from './accept.sql.js';
import { acceptUnits, commitIfAccepted, startCounters, subjectsOf } from './accept-units.js';
import { toUnit } from './message-units.js';
import { CachedDailyUsage } from './cached-daily-usage.js';

/** Shares of the connection pool for all batches, and for those of one account, whose counters may be locked. */
const SHARE_OF_ALL = 1 / 4;
const SHARE_OF_ACCOUNT = 1 / 8;
/** Shares of the requests in flight: waiting batches must not use up the capacity that other requests need. */
const WAITING_SHARE_OF_ALL = 1 / 4;
const WAITING_SHARE_OF_ACCOUNT = 1 / 8;

@Injectable()
export class SqlBatchIntake extends BatchIntake {
  private readonly limiter: Limiter;

  constructor(
    private readonly database: Database,
    private readonly cached: CachedDailyUsage,
    private readonly jobs: DeliveryJobs,
    private readonly clock: Clock,
    { databasePoolSize, maxRequestsInFlight }: Config,
  ) {
    super();
    this.limiter = new Limiter({
      perKey: Math.min(BATCHES_PER_ACCOUNT, shareOf(databasePoolSize, SHARE_OF_ACCOUNT)),
      total: shareOf(databasePoolSize, SHARE_OF_ALL),
      maxWaitingPerKey: shareOf(maxRequestsInFlight, WAITING_SHARE_OF_ACCOUNT),
      maxWaiting: shareOf(maxRequestsInFlight, WAITING_SHARE_OF_ALL),
      refusal: () => new OverloadError(),
    });
  }

  /** Starts again in each turn: batches of locked accounts must not take up the limits of all. */
  async accept(batch: NewBatch): Promise<BatchResult> {
    const acceptInTurn = () =>
      this.limiter.run(batch.accountId, () => this.acceptNow(batch), { waitMs: BATCH_WAIT_MS });
    const result = await retryWhileLocked(POSTGRES_FAULTS, acceptInTurn);
    if (result.outcome === 'accepted') this.enqueue(batch, result.entries);
    return result;
  }

  private async acceptNow(batch: NewBatch): Promise<BatchResult> {
    const day = capDay(this.clock.now());
    const accept = () => this.store(batch, day);
    // Plain messages take one statement, a transaction of its own, to lock their counters as briefly as possible.
    const isOneStatement = !batch.idempotencyKey && batch.groups.every(isPlain);
    try {
      if (isOneStatement) return await accept();
      await startCounters(this.database, subjectsOf([batch]), { day, lockWaitMs: LOCK_WAIT_MS });
      return await commitIfAccepted(this.database, accept);
    } finally {
      this.cached.forget(batch.accountId, day);
    }
  }

  /** In mode `all`, the whole batch is one unit. */
  private async store(batch: NewBatch, day: string): Promise<BatchResult> {
    const { groups, keyLimit, mode } = batch;
    const together = mode === 'all' ? [groups] : groups.map((group) => [group]);
    const units = together.map((each) => toUnit(batch, each, { keyLimit, idempotencyKey: undefined }));
    const results = await acceptUnits(this.database, units, { day, lockWaitMs: LOCK_WAIT_MS });
    const caps: (ReachedCap | null)[] = [];
    let usage: CapUsage | null = null;
    for (const result of results) {
      if (result instanceof Error) throw result;
      if (result.outcome === 'accepted') usage = result.usage;
      caps.push(result.outcome === 'over_cap' ? result.cap : null);
    }
    const cap = caps.find((each) => each !== null);
    if (usage === null && cap) return { outcome: 'over_cap', cap };
    if (usage === null) throw new Error('Neither accepted nor refused');
    const entries = withCaps(batch, caps);
    const isNew = await this.storeKey(batch, entries);
    return isNew ? { outcome: 'accepted', entries, usage } : { outcome: 'duplicate' };
  }

  /** The constraint waits for a concurrent request with the same key. */
  private async storeKey(batch: NewBatch, entries: readonly BatchEntry[]): Promise<boolean> {
    const { accountId, apiKeyId, groups, idempotencyKey } = batch;
    const message = groups[0]?.message;
    if (!idempotencyKey || !message) return true;
    const { key, fingerprint } = idempotencyKey;
    const values = [accountId, apiKeyId, key, fingerprint, message.id, message.createdAt, JSON.stringify(entries)];
    return (await this.database.query(STORE_BATCH_KEY, values)).length > 0;
  }

  private enqueue({ groups }: NewBatch, entries: readonly BatchEntry[]): void {
    const accepted = new Set(entries.flatMap((entry) => ('messageId' in entry ? entry.messageId : [])));
    for (const group of groups)
      if (accepted.has(group.message.id)) for (const delivery of dueDeliveries(group)) this.jobs.enqueue(delivery);
  }
}

function withCaps({ groups, entries }: NewBatch, caps: readonly (ReachedCap | null)[]): BatchEntry[] {
  const capsById = new Map(groups.map(({ message }, i) => [message.id, caps[i] ?? null]));
  return entries.map((entry) => {
    const cap = 'messageId' in entry ? capsById.get(entry.messageId) : null;
    return cap ? { index: entry.index, cap } : entry;
  });
}
