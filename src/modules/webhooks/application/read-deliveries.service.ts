import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { isId } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import type { DeliveryRecord, DeliveryState, DeliveryWithAttempts } from '../domain/webhook-delivery.js';
import { ManageWebhooks } from './manage-webhooks.service.js';
import { DeliveryReader } from './ports/delivery-reader.js';
import { WebhookJobs } from './ports/webhook-delivery.repository.js';

export interface DeliveryPage {
  items: DeliveryRecord[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** The deliveries of an endpoint, and retries by hand. */
@Injectable()
export class ReadDeliveries {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly deliveries: DeliveryReader,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Newest first. `cursor` is the `nextCursor` of the previous page. */
  async page(
    accountId: string,
    endpointId: string,
    { state, cursor, limit }: { state?: DeliveryState | undefined; cursor?: string | undefined; limit: number },
  ): Promise<DeliveryPage> {
    if (cursor !== undefined && !isId(cursor))
      throw DomainError.invalid('cursor must be the nextCursor of an earlier page');
    await this.webhooks.get(accountId, endpointId);
    const more = await this.deliveries.list(accountId, endpointId, {
      state: state ?? null,
      beforeId: cursor ?? null,
      limit: limit + 1,
    });
    const items = more.slice(0, limit);
    return { items, nextCursor: more.length > limit ? (items.at(-1)?.id ?? null) : null };
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
}
