import { Injectable } from '@nestjs/common';

import { MAX_RETRIED_AT_ONCE } from '../../../config/limits.js';
import { type CursorPage, type CursorRequest, readIdCursor, toCursorPage } from '../../../shared/cursor-page.js';
import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import {
  ACTIVITY_HOURS,
  type DeliveryBucket,
  type DeliveryRecord,
  type DeliveryState,
  type DeliveryWithAttempts,
} from '../domain/webhook-delivery.js';
import { ManageWebhooks } from './manage-webhooks.service.js';
import { DeliveryReader } from './ports/delivery-reader.js';
import { WebhookJobs } from './ports/webhook-delivery.repository.js';

const HOUR_MS = 3_600_000;

/** The deliveries of an endpoint, and retries by hand. */
@Injectable()
export class ReadDeliveries {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly deliveries: DeliveryReader,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async page(
    accountId: string,
    endpointId: string,
    { state, cursor, limit }: CursorRequest & { state?: DeliveryState | undefined },
  ): Promise<CursorPage<DeliveryRecord>> {
    const beforeId = readIdCursor(cursor);
    await this.webhooks.get(accountId, endpointId);
    const rows = await this.deliveries.list(accountId, endpointId, {
      state: state ?? null,
      beforeId,
      limit: limit + 1,
    });
    return toCursorPage(rows, limit, ({ id }) => id);
  }

  async get(accountId: string, id: string): Promise<DeliveryWithAttempts> {
    const delivery = await this.deliveries.find(accountId, id);
    if (!delivery) throw DomainError.notFound('Webhook delivery');
    return delivery;
  }

  /** Makes another attempt at once. Throws a conflict if one is in progress or the endpoint is disabled. */
  async retry(accountId: string, id: string): Promise<DeliveryWithAttempts> {
    switch (await this.deliveries.makeDue(accountId, id, this.clock.now())) {
      case 'in_progress':
        throw DomainError.conflict('An attempt of this delivery is in progress');
      case 'endpoint_disabled':
        throw DomainError.conflict('The endpoint is disabled; enable it first');
      case 'missing':
        throw DomainError.notFound('Webhook delivery');
      case 'due': {
        const delivery = await this.get(accountId, id);
        await this.jobs.enqueue([delivery.endpointId]);
        return delivery;
      }
    }
  }

  /**
   * Makes another attempt at once of the failed deliveries whose events occurred since the time, oldest first, at most
   * MAX_RETRIED_AT_ONCE. Throws a conflict if the endpoint is disabled.
   */
  async retryFailed(
    accountId: string,
    endpointId: string,
    since: Date,
  ): Promise<{ retried: number; hasMore: boolean }> {
    const { enabled } = await this.webhooks.get(accountId, endpointId);
    if (!enabled) throw DomainError.conflict('The endpoint is disabled; enable it first');
    const now = this.clock.now();
    const retried = await this.deliveries.makeFailedDue(accountId, endpointId, {
      since,
      limit: MAX_RETRIED_AT_ONCE,
      now,
    });
    if (retried > 0) await this.jobs.enqueue([endpointId]);
    return { retried, hasMore: retried === MAX_RETRIED_AT_ONCE };
  }

  /** The last ACTIVITY_HOURS hours, including the current one, oldest first. */
  async activity(accountId: string, endpointId: string): Promise<DeliveryBucket[]> {
    await this.webhooks.get(accountId, endpointId);
    const last = Math.floor(this.clock.now().getTime() / HOUR_MS) * HOUR_MS;
    const first = new Date(last - (ACTIVITY_HOURS - 1) * HOUR_MS);
    const counted = await this.deliveries.countByHour(accountId, endpointId, first);
    const byHour = new Map(counted.map((bucket) => [bucket.from.getTime(), bucket]));
    return Array.from({ length: ACTIVITY_HOURS }, (_, i) => {
      const from = new Date(first.getTime() + i * HOUR_MS);
      return byHour.get(from.getTime()) ?? { from, delivered: 0, failed: 0, waiting: 0 };
    });
  }
}
