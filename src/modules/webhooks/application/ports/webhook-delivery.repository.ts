import type { Verdict } from '../../domain/verdict.js';
import type { AttemptResult, ClaimedDelivery, NewDelivery } from '../../domain/webhook-delivery.js';

/** What still has to be delivered, and who is at it. */
export abstract class WebhookDeliveryRepository {
  /** Within the running transaction. An event that its endpoint has a delivery of, or whose endpoint is gone, is left out. */
  abstract add(deliveries: readonly NewDelivery[]): Promise<void>;

  /**
   * Leases up to `limit` due deliveries of the endpoint to the caller alone, each for one attempt, those that have waited
   * longest first; none of a disabled endpoint. One whose earlier lease ran out is leased again, and its attempts tell.
   */
  abstract claimAcrossAccounts(endpointId: string, limit: number): Promise<ClaimedDelivery[]>;

  /** Takes these claims back, as far as they still stand: no attempt was made, and the deliveries are due as before. */
  abstract release(deliveries: readonly ClaimedDelivery[]): Promise<void>;

  /** Renews the leases of these deliveries, and marks those as lost that another worker has claimed. */
  abstract renew(deliveries: readonly ClaimedDelivery[]): Promise<void>;

  /**
   * Records the attempt and what it means for the delivery and for its endpoint, all or nothing: an endpoint is disabled
   * when a delivery has failed for good on each of five days and none has succeeded. False if the delivery is gone or another worker has taken it since: then nothing is
   * changed. Tries until it succeeds.
   */
  abstract record(delivery: ClaimedDelivery, result: AttemptResult, verdict: Verdict): Promise<boolean>;

  /** The enabled endpoints that have something due. */
  abstract dueEndpointsAcrossAccounts(): Promise<string[]>;

  /** Deliveries that have not ended. */
  abstract countWaitingAcrossAccounts(): Promise<number>;
}
