import { Injectable } from '@nestjs/common';

import { Metrics } from '../../../platform/metrics/metrics.js';
import { RateSlots } from '../../../platform/rate-limit/rate-slots.js';
import { type Channel, channelOf, type DeliveryLane, isBulk } from '../../../shared/channel.js';
import { SendingRate } from '../application/ports/sending-rate.js';
import { BulkTurns } from './bulk-turns.js';
import { PermitQueue, type Waiter } from './permit-queue.js';
import { SendingLimits } from './sending-limits.js';

/** Slots are reserved this far ahead: a worker that dies wastes few, and a new worker soon gets its share. */
const AHEAD_MS = 500;
/**
 * Bulk messages reserve less far ahead. So they get no slot while other messages of any worker take all of them, and
 * messages that arrive wait behind few of theirs.
 */
const BULK_AHEAD_MS = 100;
/** After the time of this many slots a bulk message gets one, even if other workers take all slots for others. */
const BULK_WAITS_FOR_SLOTS = 20;
const MIN_PAUSE_MS = 10;
/**
 * The share of the limit that is used: submissions that begin a little late must not exceed the limit in any second.
 */
const USED_SHARE = 0.97;
const SLOWED_DOWN_MS = 1_000;

/**
 * A worker reserves slots for its waiting messages in one statement and lets one begin at the time of each. Bulk
 * messages begin a few at a time, with a limit or without.
 */
@Injectable()
export class SharedSendingRate extends SendingRate {
  /** Queues by the key of their limit. */
  private readonly queues = new Map<string, PermitQueue>();
  private readonly bulkTurns = new BulkTurns();

  constructor(
    private readonly slots: RateSlots,
    private readonly limits: SendingLimits,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  async waitForPermit(accountId: string, lane: DeliveryLane, stopping: AbortSignal): Promise<boolean> {
    if (!isBulk(lane)) this.bulkTurns.yieldToOthers();
    const isPermitted = await this.waitForSlot(accountId, lane, stopping);
    if (isPermitted && isBulk(lane)) await this.bulkTurns.next();
    return isPermitted;
  }

  async slowDown(accountId: string, channel: Channel): Promise<void> {
    const limit = await this.limits.find(accountId, channel);
    if (limit) await this.slots.block(limit.key, SLOWED_DOWN_MS);
  }

  private async waitForSlot(accountId: string, lane: DeliveryLane, stopping: AbortSignal): Promise<boolean> {
    const limit = await this.limits.find(accountId, channelOf(lane));
    if (stopping.aborted) return false;
    if (limit === null) return true;
    return new Promise((resolve, reject) => {
      const waiter = { accountId, lane, stopping, resolve, reject };
      const queue = this.queues.get(limit.key);
      if (queue) queue.add(waiter);
      else void this.serve(limit.key, waiter);
    });
  }

  /** Runs until the queue is empty. */
  private async serve(key: string, first: Waiter): Promise<void> {
    const queue = new PermitQueue(first, () => {
      this.metrics.sendingSlotsDropped.inc();
    });
    this.queues.set(key, queue);
    while (queue.length > 0) {
      try {
        const pauseMs = await this.reserve(key, queue);
        await (pauseMs === null ? queue.untilAdded() : queue.sleep(pauseMs));
      } catch (error) {
        queue.reject(error);
      }
    }
    this.queues.delete(key);
  }

  /**
   * The lowest of the rates that the waiting accounts have for this limit: the settings of one must not lift that of
   * others. Those that wait in other workers share their interval with the slots. Messages of accounts that are no
   * longer under the limit go on without it; Infinity if none is left but those that came meanwhile.
   */
  private async lowestRate(key: string, queue: PermitQueue): Promise<number> {
    let rate = Infinity;
    for (const accountId of queue.accountIds) {
      const limit = await this.limits.find(accountId, queue.channel);
      if (limit?.key === key) rate = Math.min(rate, limit.rate);
      else
        for (const { lane, stopping, resolve, reject } of queue.takeOf(accountId))
          this.waitForSlot(accountId, lane, stopping).then(resolve, reject);
    }
    return rate;
  }

  /** Reserves slots for messages without one. Returns the milliseconds until the next call, null if all have one. */
  private async reserve(key: string, queue: PermitQueue): Promise<number | null> {
    const { count: wanted, isBulk: isForBulk } = queue.wanted;
    const rate = await this.lowestRate(key, queue);
    const count = Math.min(wanted, queue.wanted.count); // not for those that came, or left the limit, meanwhile
    if (count === 0 || rate === Infinity) return queue.wanted.count === 0 ? null : MIN_PAUSE_MS;
    const intervalMs = 1_000 / (rate * USED_SHARE);
    const isStarved = isForBulk && queue.bulkWaitsForMs > BULK_WAITS_FOR_SLOTS * intervalMs;
    const aheadMs = isForBulk && !isStarved ? BULK_AHEAD_MS : AHEAD_MS;
    const reserved = await this.slots.reserve(key, {
      count: isStarved ? 1 : count,
      intervalMs,
      aheadMs: isStarved ? aheadMs + intervalMs : aheadMs,
      isShared: true,
    });
    const { waitMs, intervalMs: everyMs } = reserved;
    for (let i = 0; i < reserved.count; i++) queue.serveIn(waitMs + i * everyMs, everyMs);
    const nextInMs = waitMs + reserved.count * everyMs;
    // At a slow rate, four calls in the time of a slot are enough.
    return Math.max(MIN_PAUSE_MS, Math.min(nextInMs - aheadMs / 2, Math.max(aheadMs, everyMs / 4)));
  }
}
