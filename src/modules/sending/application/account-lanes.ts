import { setTimeout as pause } from 'node:timers/promises';

import { DELIVERED_PER_ACCOUNT, MAX_DETACHED, WAITING_PER_ACCOUNT } from '../../../config/limits.js';
import { chunk } from '../../../shared/collections.js';

export const LANE_LIMITS = {
  chunkSize: 50,
  /**
   * Messages of one account that a process delivers at a time. Not chunks: a chunk may be a single message, and three
   * for which the relay takes long must not hold up the others.
   */
  runningPerAccount: DELIVERED_PER_ACCOUNT,
  /** Ids beyond this are re-queued with a delay, so that a relay that hangs delays only its own account. */
  waitingPerAccount: WAITING_PER_ACCOUNT,
  requeueDelayMs: 2_000,
  /**
   * An account with a million messages has thousands of jobs beyond its bound, and re-queueing one costs as much as
   * delivering ten messages. So those that come within this time are re-queued together, as fewer and larger jobs.
   */
  collectMs: 50,
  idsPerJob: 1_000,
  /** Re-queued ids return at this rate: faster than a process delivers them, but not all at once. */
  returningPerMs: 10,
  /**
   * Ids that would return later are left to the sweep. It enqueues unclaimed messages every five minutes, those on the
   * queue too, so each sweep of a long backlog would add another copy of it to the queue. Until the next sweep, a
   * process delivers fewer messages than return within this time.
   */
  returnWithinMs: 60_000,
  /** After this, a job frees its worker slot for other accounts, and its work continues detached. */
  detachAfterMs: 500,
  /** Messages under delivery, over all accounts, above which no work is detached: they are held in memory. */
  detached: MAX_DETACHED,
};

/** The actions on a chunk of ids of one account: deliver it now, or enqueue it again. */
interface LaneActions {
  deliver: (accountId: string, messageIds: string[], stopping: AbortSignal) => Promise<void>;
  requeue: (accountId: string, chunks: string[][], delayMs: number) => Promise<void>;
  /** Whether a delivery that failed with this error may succeed later. */
  isTemporary: (error: unknown) => boolean;
}

interface Lane {
  readonly waiting: string[];
  /** Messages under delivery. */
  running: number;
  /** The time when all re-queued ids will have returned, by the monotonic clock. */
  returnedAt: number;
}

/** Delivers messages account by account: an account whose provider is slow must not use up the worker slots. */
export class AccountLanes {
  private readonly lanes = new Map<string, Lane>();
  private running = 0;
  /** The ids that are about to be re-queued, by account. */
  private readonly postponed = new Map<string, { ids: string[]; done: Promise<void> }>();

  constructor(
    private readonly actions: LaneActions,
    private readonly limits = LANE_LIMITS,
  ) {}

  /**
   * Resolves when the ids are delivered, left to work that is already running for the account, re-queued, or passed to
   * `detach` because they take too long. Once `stopping` is aborted, ids that are still waiting are re-queued. A chunk
   * that fails does not keep the others from being delivered; if the fault is temporary, it is re-queued with a delay.
   * Rejects with the first error at the end.
   */
  async deliver(
    accountId: string,
    messageIds: readonly string[],
    stopping: AbortSignal,
    detach: (work: Promise<void>) => void,
  ): Promise<void> {
    const { waitingPerAccount, runningPerAccount, detachAfterMs } = this.limits;
    const lane = this.lanes.get(accountId) ?? { waiting: [], running: 0, returnedAt: -Infinity };
    if (stopping.aborted) return this.requeue(accountId, messageIds, 0);
    if (lane.waiting.length + messageIds.length > waitingPerAccount) return this.postpone(accountId, lane, messageIds);
    this.lanes.set(accountId, lane);
    lane.waiting.push(...messageIds);
    if (lane.running >= runningPerAccount) return;
    const work = this.work(accountId, lane, stopping);
    if (this.running > this.limits.detached) return work;
    const isDone = await Promise.race([work.then(() => true), pause(detachAfterMs, false, { ref: false })]);
    if (!isDone) detach(work);
  }

  private async work(accountId: string, lane: Lane, stopping: AbortSignal): Promise<void> {
    const { chunkSize, runningPerAccount } = this.limits;
    const errors: unknown[] = [];
    try {
      while (lane.waiting.length > 0 && lane.running < runningPerAccount && !stopping.aborted) {
        const size = Math.min(chunkSize, runningPerAccount - lane.running);
        await this.deliverChunk(accountId, lane, lane.waiting.splice(0, size), stopping).catch((error: unknown) =>
          errors.push(error),
        );
      }
      if (stopping.aborted) await this.requeue(accountId, lane.waiting.splice(0), 0);
    } finally {
      if (lane.running === 0 && lane.waiting.length === 0) this.lanes.delete(accountId);
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Ids that are not re-queued here are enqueued by the sweep, but much later. */
  private async deliverChunk(
    accountId: string,
    lane: Lane,
    messageIds: string[],
    stopping: AbortSignal,
  ): Promise<void> {
    lane.running += messageIds.length;
    this.running += messageIds.length;
    try {
      await this.actions.deliver(accountId, messageIds, stopping);
    } catch (error) {
      if (this.actions.isTemporary(error)) await this.requeue(accountId, messageIds, this.limits.requeueDelayMs);
      throw error;
    } finally {
      lane.running -= messageIds.length;
      this.running -= messageIds.length;
    }
  }

  /** Resolves once the ids are re-queued, with those of other jobs, or left to the sweep. */
  private postpone(accountId: string, lane: Lane, messageIds: readonly string[]): Promise<void> {
    const postponed = this.postponed.get(accountId) ?? this.collect(accountId, lane);
    postponed.ids.push(...messageIds);
    return postponed.done;
  }

  private collect(accountId: string, lane: Lane): { ids: string[]; done: Promise<void> } {
    const ids: string[] = [];
    const done = pause(this.limits.collectMs).then(() => {
      this.postponed.delete(accountId);
      return this.requeueSpaced(accountId, lane, ids);
    });
    const postponed = { ids, done };
    this.postponed.set(accountId, postponed);
    return postponed;
  }

  private async requeueSpaced(accountId: string, lane: Lane, messageIds: readonly string[]): Promise<void> {
    const { idsPerJob, requeueDelayMs, returningPerMs, returnWithinMs } = this.limits;
    const now = performance.now();
    await Promise.all(
      chunk(messageIds, idsPerJob).map((ids) => {
        const returnAt = Math.max(now + requeueDelayMs, lane.returnedAt);
        if (returnAt > now + returnWithinMs) return Promise.resolve();
        lane.returnedAt = returnAt + ids.length / returningPerMs;
        return this.actions.requeue(accountId, [ids], Math.round(returnAt - now));
      }),
    );
  }

  private async requeue(accountId: string, messageIds: readonly string[], delayMs: number): Promise<void> {
    if (messageIds.length > 0) await this.actions.requeue(accountId, chunk(messageIds, this.limits.idsPerJob), delayMs);
  }
}
