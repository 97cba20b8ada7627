import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { RateSlots } from '../../../platform/rate-limit/rate-slots.js';
import type { Channel } from '../../../shared/channel.js';
import { SendingRate } from '../application/ports/sending-rate.js';
import { SendingLimits } from './sending-limits.js';

/** Slots are reserved this far ahead: a worker that dies wastes few, and a new worker soon gets its share. */
const AHEAD_MS = 500;
const MIN_PAUSE_MS = 10;
/** The rest stays free: submissions that begin a little late must not exceed the limit in any second. */
const USED_SHARE = 0.97;
const SLOWED_DOWN_MS = 1_000;

interface Waiter {
  accountId: string;
  channel: Channel;
  stopping: AbortSignal;
  resolve: (isPermitted: boolean | Promise<boolean>) => void;
  reject: (error: unknown) => void;
}

/** A worker reserves slots for all its waiting messages in one statement, and lets each begin at its time. */
@Injectable()
export class SharedSendingRate extends SendingRate {
  /** The waiting messages by the key of their limit. */
  private readonly queues = new Map<string, Waiter[]>();

  constructor(
    private readonly slots: RateSlots,
    private readonly limits: SendingLimits,
  ) {
    super();
  }

  async waitForPermit(accountId: string, channel: Channel, stopping: AbortSignal): Promise<boolean> {
    const limit = await this.limits.find(accountId, channel);
    if (limit === null) return !stopping.aborted;
    return new Promise((resolve, reject) => {
      const waiter = { accountId, channel, stopping, resolve, reject };
      const queue = this.queues.get(limit.key);
      if (queue) queue.push(waiter);
      else void this.serve(limit.key, [waiter]);
    });
  }

  async slowDown(accountId: string, channel: Channel): Promise<void> {
    const limit = await this.limits.find(accountId, channel);
    if (limit) await this.slots.block(limit.key, SLOWED_DOWN_MS);
  }

  /** Runs until the queue is empty. */
  private async serve(key: string, queue: Waiter[]): Promise<void> {
    this.queues.set(key, queue);
    while (queue.length > 0) {
      try {
        if (queue[0]?.stopping.aborted) queue.shift()?.resolve(false);
        else await pause(await this.permit(key, queue));
      } catch (error) {
        for (const { reject } of queue.splice(0)) reject(error);
      }
    }
    this.queues.delete(key);
  }

  /** Lets those with a slot begin, each at its time. Returns the milliseconds until the next call for the others. */
  private async permit(key: string, queue: Waiter[]): Promise<number> {
    const limit = queue[0] ? await this.limits.find(queue[0].accountId, queue[0].channel) : null;
    const intervalMs = limit?.key === key ? 1_000 / (limit.rate * USED_SHARE) : 0;
    const { count, waitMs } = await this.slots.reserve(key, {
      count: queue.length,
      intervalMs,
      aheadMs: AHEAD_MS,
    });
    queue.splice(0, count).forEach(({ resolve, stopping }, i) => {
      resolve(beginsIn(waitMs + i * intervalMs, stopping));
    });
    if (queue.length === 0) return 0;
    const nextInMs = waitMs + count * intervalMs;
    return Math.max(MIN_PAUSE_MS, Math.min(nextInMs - AHEAD_MS / 2, AHEAD_MS));
  }
}

const beginsIn = (ms: number, stopping: AbortSignal): Promise<boolean> =>
  pause(ms, undefined, { signal: stopping }).then(
    () => true,
    () => false,
  );
