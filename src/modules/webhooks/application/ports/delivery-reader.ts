import type {
  DeliveryBucket,
  DeliveryRecord,
  DeliveryState,
  DeliveryWithAttempts,
} from '../../domain/webhook-delivery.js';

/** Every method is scoped to one account: deliveries of other accounts are invisible. */
export abstract class DeliveryReader {
  /** Newest first, those before `beforeId` if given. */
  abstract list(
    accountId: string,
    endpointId: string,
    filter: { state: DeliveryState | null; beforeId: string | null; limit: number },
  ): Promise<DeliveryRecord[]>;

  abstract find(accountId: string, id: string): Promise<DeliveryWithAttempts | null>;

  /** Makes the delivery due now. Changes nothing if it is in progress or its endpoint is disabled. */
  abstract makeDue(
    accountId: string,
    id: string,
    now: Date,
  ): Promise<'due' | 'in_progress' | 'endpoint_disabled' | 'missing'>;

  /**
   * Makes up to `limit` deliveries due now that failed and whose events occurred at or after `since`, oldest first.
   * Returns their number: 0 if the endpoint is disabled.
   */
  abstract makeFailedDue(
    accountId: string,
    endpointId: string,
    { since, limit, now }: { since: Date; limit: number; now: Date },
  ): Promise<number>;

  /** Counts the deliveries of events since the time by hour. Hours without any are missing. */
  abstract countByHour(accountId: string, endpointId: string, since: Date): Promise<DeliveryBucket[]>;
}
