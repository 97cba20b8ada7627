import { type Channel, channelOf, type DeliveryLane, isBulk } from '../../../shared/channel.js';
import { BulkPrecedence } from '../domain/bulk-precedence.js';

/** Slots may begin late by this much. Later ones of a process that stalled would begin all at once, above the limit. */
const MAX_LATE_MS = 100;

export interface Waiter {
  accountId: string;
  lane: DeliveryLane;
  stopping: AbortSignal;
  resolve: (isPermitted: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * The messages of a process that wait for slots of one limit. A slot belongs to no message until its time has come, so
 * bulk messages that already wait do not delay others that arrive.
 */
export class PermitQueue {
  private readonly others: Waiter[] = [];
  private readonly bulk: Waiter[] = [];
  private readonly precedence = new BulkPrecedence();
  private readonly slots = new Set<NodeJS.Timeout>();
  private bulkWaitsSince = 0;
  private servedAt = -Infinity;
  private sleeper: { wakesFor: 'others' | 'any'; wake: () => void } | null = null;

  /** `onDropped` is called for each slot that is dropped while messages wait. */
  constructor(
    first: Waiter,
    private readonly onDropped: () => void,
  ) {
    this.channel = channelOf(first.lane);
    this.add(first);
  }

  /** The channel of all messages in the queue. */
  readonly channel: Channel;

  /** The accounts whose messages wait. */
  get accountIds(): ReadonlySet<string> {
    return new Set([...this.others, ...this.bulk].map(({ accountId }) => accountId));
  }

  get length(): number {
    return this.others.length + this.bulk.length;
  }

  /** The number of missing slots: for others if some have none, else for bulk messages. */
  get wanted(): { count: number; isBulk: boolean } {
    const others = this.others.length - this.slots.size;
    return others > 0
      ? { count: others, isBulk: false }
      : { count: Math.max(0, this.length - this.slots.size), isBulk: true };
  }

  /** The time since the last bulk message began, or since the first began to wait. */
  get bulkWaitsForMs(): number {
    return this.bulk.length === 0 ? 0 : performance.now() - this.bulkWaitsSince;
  }

  add(waiter: Waiter): void {
    const yields = isBulk(waiter.lane);
    const lane = yields ? this.bulk : this.others;
    if (yields && lane.length === 0) this.bulkWaitsSince = performance.now();
    if (this.sleeper?.wakesFor === 'any' || (!yields && lane.length === 0)) this.wake();
    const abort = () => {
      const position = lane.indexOf(queued);
      if (position >= 0) lane.splice(position, 1);
      queued.resolve(false);
      if (this.length === 0) this.wake();
    };
    const { stopping } = waiter;
    const queued: Waiter = {
      ...waiter,
      resolve: (isPermitted) => {
        stopping.removeEventListener('abort', abort);
        waiter.resolve(isPermitted);
      },
      reject: (error) => {
        stopping.removeEventListener('abort', abort);
        waiter.reject(error);
      },
    };
    stopping.addEventListener('abort', abort, { once: true });
    lane.push(queued);
  }

  /** Lets one message begin after this time. If that is much late and another has just begun, the slot is dropped. */
  serveIn(ms: number, intervalMs: number): void {
    const at = performance.now() + ms;
    const slot = setTimeout(() => {
      this.slots.delete(slot);
      const now = performance.now();
      const isDropped = now - at > MAX_LATE_MS && now - this.servedAt < intervalMs;
      if (!isDropped) {
        this.serveNext(now);
        return;
      }
      if (this.length > 0) this.onDropped();
      this.wake();
    }, ms);
    this.slots.add(slot);
  }

  /** Removes the messages of an account, and returns them. */
  takeOf(accountId: string): Waiter[] {
    return [this.others, this.bulk].flatMap((lane) => {
      const all = lane.splice(0);
      lane.push(...all.filter((waiter) => waiter.accountId !== accountId));
      return all.filter((waiter) => waiter.accountId === accountId);
    });
  }

  reject(error: unknown): void {
    for (const waiter of [...this.others.splice(0), ...this.bulk.splice(0)]) waiter.reject(error);
  }

  /** Ends early if the queue becomes empty, or if a message arrives that takes precedence over all waiting ones. */
  sleep(ms: number): Promise<void> {
    return this.sleepUnlessEmpty('others', ms);
  }

  /**
   * Ends when a message has no slot, because it has arrived or its slot was dropped, or when the queue is empty. Ends
   * at once if that has happened since the last look.
   */
  async untilAdded(): Promise<void> {
    if (this.wanted.count === 0) await this.sleepUnlessEmpty('any');
  }

  private async sleepUnlessEmpty(wakesFor: 'others' | 'any', ms?: number): Promise<void> {
    if (this.length === 0) return;
    await new Promise<void>((resolve) => {
      const timer =
        ms === undefined
          ? undefined
          : setTimeout(() => {
              this.wake();
            }, ms);
      this.sleeper = {
        wakesFor,
        wake: () => {
          clearTimeout(timer);
          resolve();
        },
      };
    });
  }

  private wake(): void {
    const { sleeper } = this;
    this.sleeper = null;
    sleeper?.wake();
  }

  private serveNext(now: number): void {
    if (this.length === 0) return;
    this.servedAt = now;
    const next = this.precedence.next({ others: this.others.length > 0, bulk: this.bulk.length > 0 });
    if (next === 'bulk') this.bulkWaitsSince = now;
    (next === 'bulk' ? this.bulk : this.others).shift()?.resolve(true);
    if (this.length === 0) this.wake();
  }
}
