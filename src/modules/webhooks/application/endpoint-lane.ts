import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import type { Claims } from '../domain/claims.js';
import { ConcurrencyWindow } from '../domain/concurrency-window.js';
import type { ClaimedDelivery } from '../domain/webhook-delivery.js';
import type { AttemptDelivery, AttemptReport } from './attempt-delivery.service.js';
import type { WebhookDeliveryRepository } from './ports/webhook-delivery.repository.js';

/** Stop prefetching above this many claims of the process: they keep enough slots busy. */
const MAX_CLAIMS_TO_PREFETCH = 500;
/** The most claims of one endpoint, including attempts that the database has not recorded yet. */
const MAX_CLAIMS_PER_ENDPOINT = 400;
/** Slots that become free within this time are filled by one claim. */
const CLAIM_INTERVAL_MS = 4;

export interface LaneOptions {
  endpointId: string;
  deliveries: Pick<WebhookDeliveryRepository, 'claimAcrossAccounts' | 'release'>;
  attempts: Pick<AttemptDelivery, 'attempt' | 'record'>;
  /** Shared by all lanes of the process. */
  claims: Claims;
  /** Once aborted, no further attempt starts. */
  stopping: AbortSignal;
  /** Called when an attempt has been recorded. */
  report: (report: AttemptReport) => void;
}

/**
 * Delivers the webhooks of one endpoint: claims what is due, prefetches claims while the receiver is fast, and keeps as
 * many attempts under way as the concurrency window and the fair share of the account allow.
 */
export class EndpointLane {
  private readonly logger = new Logger(EndpointLane.name);
  private readonly window = new ConcurrencyWindow();
  /** Claimed, and waiting for a free slot. */
  private readonly prefetched: ClaimedDelivery[] = [];
  /** Attempts whose outcomes are not recorded yet. */
  private readonly unrecorded = new Set<Promise<void>>();
  /** Attempts that wait for the receiver's response: these occupy the slots. */
  private occupiedSlots = 0;
  /** Null before the first claim. */
  private accountId: string | null = null;
  /** Resolves when the released deliveries can be claimed again. */
  private releasing: Promise<void> = Promise.resolve();
  /** Whether deliveries may have become due since the last claim. */
  private mayHaveDue = false;
  private isDraining = false;
  private activeDrains = 0;
  private notifyFreed = (): void => undefined;

  constructor(private readonly options: LaneOptions) {}

  get isIdle(): boolean {
    return this.activeDrains === 0;
  }

  /** Attempts what is due until nothing is. While a call is draining, further calls only make it check again. */
  async drain(): Promise<void> {
    this.mayHaveDue = true;
    if (this.isDraining) return;
    this.isDraining = true;
    this.activeDrains += 1;
    try {
      while (this.hasWork) {
        const wanted = this.countToClaim();
        if (wanted > 0) await this.claim(wanted);
        else await this.waitForFreeSlot();
        this.fillSlots();
      }
    } finally {
      this.isDraining = false;
      this.releasePrefetched();
      await Promise.all([this.releasing, ...this.unrecorded]);
      this.activeDrains -= 1;
    }
  }

  private get hasWork(): boolean {
    return (this.mayHaveDue || this.prefetched.length > 0) && !this.options.stopping.aborted;
  }

  private async waitForFreeSlot(): Promise<void> {
    await new Promise<void>((resolve) => (this.notifyFreed = resolve));
    if (this.mayHaveDue) await pause(CLAIM_INTERVAL_MS);
  }

  private async claim(wanted: number): Promise<void> {
    const { endpointId, deliveries, claims } = this.options;
    await this.releasing;
    this.mayHaveDue = false;
    const claimed = await deliveries.claimAcrossAccounts(endpointId, wanted);
    for (const delivery of claimed) claims.add(delivery);
    this.accountId ??= claimed[0]?.accountId ?? null;
    this.prefetched.push(...claimed);
    if (claimed.length === wanted) this.mayHaveDue = true;
  }

  /** Zero while half of the prefetch is left, so that claims are few and large and slots do not wait for one. */
  private countToClaim(): number {
    if (!this.mayHaveDue) return 0;
    const prefetch = this.options.claims.size < MAX_CLAIMS_TO_PREFETCH ? this.window.prefetch : 0;
    if (this.prefetched.length > prefetch / 2) return 0;
    const wanted = this.slots + prefetch - this.occupiedSlots;
    return Math.min(wanted, MAX_CLAIMS_PER_ENDPOINT - this.unrecorded.size) - this.prefetched.length;
  }

  private get slots(): number {
    return this.options.claims.mayClaimFor(this.accountId) ? this.window.limit : 1;
  }

  private fillSlots(): void {
    if (this.options.stopping.aborted) return;
    const free = Math.max(0, this.slots - this.occupiedSlots);
    for (const delivery of this.prefetched.splice(0, free)) {
      const work = this.dropClaimsAfter([delivery], this.attempt(delivery)).finally(() => {
        this.unrecorded.delete(work);
        this.notifyFreed();
      });
      this.unrecorded.add(work);
    }
  }

  /** Occupies a slot until the receiver has responded. */
  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { attempts, report } = this.options;
    this.occupiedSlots += 1;
    const attempt = await attempts.attempt(delivery);
    this.freeSlot(attempt?.outcome.state === 'delivered');
    report(await attempts.record(delivery, attempt));
  }

  /** After a failure, what is prefetched is released: another worker, or a later attempt, may have more success. */
  private freeSlot(wasDelivered: boolean): void {
    this.occupiedSlots -= 1;
    this.window.adjust(wasDelivered);
    if (!wasDelivered) this.releasePrefetched();
    this.fillSlots();
    this.notifyFreed();
  }

  /** The deliveries become due again as if they had never been claimed. */
  private releasePrefetched(): void {
    const unused = this.prefetched.splice(0);
    if (unused.length === 0) return;
    this.mayHaveDue = true;
    const released = Promise.all([
      this.releasing,
      this.options.deliveries.release(unused, ({ message }) => {
        this.logger.warn(`${unused.length} webhook deliveries are not released yet: ${message}`);
      }),
    ]);
    this.releasing = this.dropClaimsAfter(unused, released);
  }

  /** Never rejects: deliveries whose work failed are taken over when their leases have run out. */
  private async dropClaimsAfter(deliveries: readonly ClaimedDelivery[], work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const ids = deliveries.map(({ id }) => id).join(', ');
      this.logger.error(`Webhook deliveries ${ids}: ${(error as Error).message}`, (error as Error).stack);
    } finally {
      for (const delivery of deliveries) this.options.claims.delete(delivery);
    }
  }
}
