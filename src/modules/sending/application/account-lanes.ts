import { setTimeout as pause } from 'node:timers/promises';

import { chunk } from '../../../shared/collections.js';

export const LANE_LIMITS = {
  chunkSize: 50,
  /** Chunks of one account that a process delivers at a time. */
  chunksPerAccount: 3,
  /** Ids beyond this are re-queued with a delay, so that a relay that hangs delays only its own account. */
  waitingPerAccount: 5_000,
  requeueDelayMs: 2_000,
  /** After this, a job frees its worker slot for other accounts, and its work continues detached. */
  detachAfterMs: 500,
  /** Detached work over all accounts; it holds the messages that it has claimed in memory. */
  detached: 500,
};

/** A chunk of ids of one account: to be delivered now, or to be enqueued again. */
interface LaneActions {
  deliver: (accountId: string, messageIds: string[], stopping: AbortSignal) => Promise<void>;
  requeue: (accountId: string, chunks: string[][], delayMs: number) => Promise<void>;
  /** Whether a delivery that failed with this error may succeed later. */
  isTemporary: (error: unknown) => boolean;
}

interface Lane {
  readonly waiting: string[];
  running: number;
}

/** Delivers messages account by account: an account whose provider is slow must not use up the worker slots. */
export class AccountLanes {
  private readonly lanes = new Map<string, Lane>();
  private running = 0;

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
    const { waitingPerAccount, chunksPerAccount, requeueDelayMs, detachAfterMs } = this.limits;
    const lane = this.lanes.get(accountId) ?? { waiting: [], running: 0 };
    if (stopping.aborted) return this.requeue(accountId, messageIds, 0);
    if (lane.waiting.length + messageIds.length > waitingPerAccount)
      return this.requeue(accountId, messageIds, requeueDelayMs);
    this.lanes.set(accountId, lane);
    lane.waiting.push(...messageIds);
    if (lane.running >= chunksPerAccount) return;
    const work = this.work(accountId, lane, stopping);
    if (this.running > this.limits.detached) return work;
    const isDone = await Promise.race([work.then(() => true), pause(detachAfterMs, false, { ref: false })]);
    if (!isDone) detach(work);
  }

  private async work(accountId: string, lane: Lane, stopping: AbortSignal): Promise<void> {
    const errors: unknown[] = [];
    lane.running += 1;
    this.running += 1;
    try {
      while (lane.waiting.length > 0 && !stopping.aborted)
        await this.deliverChunk(accountId, lane.waiting.splice(0, this.limits.chunkSize), stopping).catch(
          (error: unknown) => errors.push(error),
        );
      if (stopping.aborted) await this.requeue(accountId, lane.waiting.splice(0), 0);
    } finally {
      lane.running -= 1;
      this.running -= 1;
      if (lane.running === 0 && lane.waiting.length === 0) this.lanes.delete(accountId);
    }
    if (errors.length > 0) throw errors[0];
  }

  /** The sweep enqueues what is not re-queued here, but much later. */
  private async deliverChunk(accountId: string, messageIds: string[], stopping: AbortSignal): Promise<void> {
    try {
      await this.actions.deliver(accountId, messageIds, stopping);
    } catch (error) {
      if (this.actions.isTemporary(error)) await this.requeue(accountId, messageIds, this.limits.requeueDelayMs);
      throw error;
    }
  }

  private async requeue(accountId: string, messageIds: readonly string[], delayMs: number): Promise<void> {
    if (messageIds.length > 0) await this.actions.requeue(accountId, chunk(messageIds, this.limits.chunkSize), delayMs);
  }
}
