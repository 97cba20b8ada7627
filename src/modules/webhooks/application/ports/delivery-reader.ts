import type { DeliveryRecord, DeliveryState, DeliveryWithAttempts } from '../../domain/webhook-delivery.js';

/** Deliveries of one account. One of another account is never seen or changed. */
export abstract class DeliveryReader {
  /** Newest first, those before the id if there is one. */
  abstract list(
    accountId: string,
    endpointId: string,
    filter: { state: DeliveryState | null; beforeId: string | null; limit: number },
  ): Promise<DeliveryRecord[]>;

  abstract find(accountId: string, id: string): Promise<DeliveryWithAttempts | null>;

  /** Makes the delivery due now, unless it is in progress or its endpoint is disabled: then it changes nothing and says so. */
  abstract makeDue(
    accountId: string,
    id: string,
    now: Date,
  ): Promise<'due' | 'in_progress' | 'endpoint_disabled' | 'missing'>;
}
