import { Injectable } from '@nestjs/common';

import { Config } from '../../../../config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { overloaded } from '../../../../platform/metrics/requests-in-flight.js';
import { FairSemaphore } from '../../../../shared/fair-semaphore.js';
import { Clock } from '../../../../shared/ports/clock.js';
import { retryWhileLocked } from '../../../../shared/retry-while-locked.js';
import { shareOf } from '../../../../shared/share-of.js';
import { BatchIntake, type BatchResult, type NewBatch } from '../../application/ports/batch-intake.js';
import type { BatchEntry, BatchMode } from '../../domain/batch.js';
import { capDay, type CapUsage, reachedCap, type ReachedCap } from '../../domain/daily-caps.js';
import { isPlain, type NewGroup } from '../../domain/message-group.js';
import { STORE_BATCH_KEY } from './accept.sql.js';
import { acceptAll, acceptGroups, acceptMessages, type CountedOn, type GroupCall } from './accept-statements.js';
import { partsOf } from './group-rows.js';
import { RecentUsage } from './recent-usage.js';
import { type AcceptRow, subjectsOf, UsageCounters } from './usage-counters.js';

/** Shares of the connection pool for all batches, and for those of one account, whose counters may be locked. */
const SHARE_OF_ALL = 1 / 4;
const SHARE_OF_ACCOUNT = 1 / 8;
/** One waits for the counters while another one uses them; more of them would only wait. */
const MAX_OF_ACCOUNT = 2;
/** Shares of the requests in flight: waiting batches must not use up the capacity that other requests need. */
const WAITING_SHARE_OF_ALL = 1 / 4;
const WAITING_SHARE_OF_ACCOUNT = 1 / 8;
const WAIT_MS = 5_000;

/** Ends the transaction of a batch that is not accepted. */
class NotAccepted extends Error {
  constructor(readonly result: BatchResult) {
    super();
  }
}

/** Of each group of a batch: accepted, or the cap that refuses it. */
interface Accepted {
  refusals: (ReachedCap | null)[];
  /** After the last message that was accepted. */
  usage: CapUsage | null;
}

@Injectable()
export class SqlBatchIntake extends BatchIntake {
  private readonly counters: UsageCounters;
  private readonly permits: FairSemaphore;

  constructor(
    private readonly database: Database,
    private readonly recent: RecentUsage,
    private readonly clock: Clock,
    { databasePoolSize, maxRequestsInFlight }: Config,
  ) {
    super();
    this.counters = new UsageCounters(database);
    this.permits = new FairSemaphore({
      perKey: Math.min(MAX_OF_ACCOUNT, shareOf(databasePoolSize, SHARE_OF_ACCOUNT)),
      total: shareOf(databasePoolSize, SHARE_OF_ALL),
      maxWaitingPerKey: shareOf(maxRequestsInFlight, WAITING_SHARE_OF_ACCOUNT),
      maxWaiting: shareOf(maxRequestsInFlight, WAITING_SHARE_OF_ALL),
    });
  }

  /** Gives its permit back between two turns: batches of locked accounts must not hold all of them. */
  accept(batch: NewBatch): Promise<BatchResult> {
    return retryWhileLocked(POSTGRES_FAULTS, () => this.acceptWithPermit(batch));
  }

  private async acceptWithPermit(batch: NewBatch): Promise<BatchResult> {
    const release = await this.permits.acquire(batch.accountId, { waitMs: WAIT_MS });
    if (!release) throw overloaded();
    try {
      return await this.acceptNow(batch);
    } finally {
      release();
    }
  }

  private async acceptNow(batch: NewBatch): Promise<BatchResult> {
    const day = capDay(this.clock.now());
    const subjects = subjectsOf([batch]);
    await this.counters.start(subjects, day);
    const isOneStatement = !batch.idempotencyKey && batch.groups.every(isPlain);
    const accept = () => this.acceptOn(batch, { subjects, day, locking: 'waitOneTurn' });
    try {
      return await (isOneStatement ? accept() : this.database.run(accept));
    } catch (error) {
      if (error instanceof NotAccepted) return error.result;
      throw error;
    } finally {
      this.recent.forget(batch.accountId, day);
    }
  }

  /** Plain messages take one statement, a transaction of its own, to lock their counters as briefly as possible. */
  private async acceptOn(batch: NewBatch, day: CountedOn): Promise<BatchResult> {
    const { groups, keyLimit, mode } = batch;
    const calls = groups.map((group) => ({ group, message: group.message, keyLimit, idempotencyKey: undefined }));
    const { refusals, usage } = groups.every(isPlain)
      ? this.toAccepted(await (mode === 'all' ? acceptAll : acceptMessages)(this.database, calls, day))
      : await this.acceptGroups(calls, mode, day);
    const cap = refusals.find((refusal) => refusal !== null) ?? null;
    if (cap !== null && (mode === 'all' || usage === null)) throw new NotAccepted({ outcome: 'over_cap', cap });
    if (usage === null) throw new Error('Neither accepted nor refused');
    const entries = withCaps(batch, refusals);
    await this.storeKey(batch, entries);
    return { outcome: 'accepted', entries, usage };
  }

  /**
   * In mode `valid`, a smaller group after a refused one may fit, and is tried again, one by one. One that is not
   * smaller than a refused one cannot.
   */
  private async acceptGroups(calls: readonly GroupCall[], mode: BatchMode, day: CountedOn): Promise<Accepted> {
    const parts = calls.flatMap(({ group }, i) => partsOf(group, i));
    const { refusals, usage } = this.toAccepted(await acceptGroups(this.database, calls, day, parts));
    if (mode === 'all') return { refusals, usage };
    let last = usage;
    let tooLarge = sizeOf(calls[refusals.findIndex((cap) => cap !== null)]?.group);
    for (const [i, call] of calls.entries()) {
      const size = sizeOf(call.group);
      if (refusals[i] === null || size >= tooLarge) continue;
      const retried = this.toAccepted(await acceptGroups(this.database, [call], day, partsOf(call.group, 0)));
      refusals[i] = retried.refusals[0] ?? null;
      if (refusals[i] !== null) tooLarge = size;
      last = retried.usage ?? last;
    }
    return { refusals, usage: last };
  }

  private toAccepted(rows: readonly AcceptRow[]): Accepted {
    const accepted: Accepted = { refusals: [], usage: null };
    for (const row of rows) {
      // Refused with others, for which there is no room.
      const isWithinCaps = !row.isAccepted && row.hasCounters && reachedCap(row) === null;
      const result = isWithinCaps ? null : this.counters.toResult(row);
      if (result instanceof Error) throw result;
      if (result?.outcome === 'accepted') accepted.usage = result.usage;
      accepted.refusals.push(result?.outcome === 'over_cap' ? result.cap : null);
    }
    return accepted;
  }

  /** The constraint waits for a concurrent request with the same key. */
  private async storeKey({ accountId, apiKeyId, groups, idempotencyKey }: NewBatch, entries: BatchEntry[]) {
    const message = groups[0]?.message;
    if (!idempotencyKey || !message) return;
    const { key, fingerprint } = idempotencyKey;
    const values = [accountId, apiKeyId, key, fingerprint, message.id, message.createdAt, JSON.stringify(entries)];
    const stored = await this.database.query(STORE_BATCH_KEY, values);
    if (stored.length === 0) throw new NotAccepted({ outcome: 'duplicate' });
  }
}

const sizeOf = (group: NewGroup | undefined): number => (group ? 1 + group.copies.length : Infinity);

function withCaps({ groups, entries }: NewBatch, refusals: (ReachedCap | null)[]): BatchEntry[] {
  const caps = new Map(groups.map(({ message }, i) => [message.id, refusals[i] ?? null]));
  return entries.map((entry) => {
    const cap = 'messageId' in entry ? caps.get(entry.messageId) : null;
    return cap ? { index: entry.index, cap } : entry;
  });
}
