import type { AttemptOutcome } from '../../domain/attempt-outcome.js';
import type { AttemptResult, ClaimedDelivery, NewDelivery } from '../../domain/webhook-delivery.js';

/** Webhook deliveries and their leases. */
export abstract class WebhookDeliveryRepository {
  /** Joins the running transaction. Skips an event that its endpoint already has, and endpoints that were removed. */
  abstract add(deliveries: readonly NewDelivery[]): Promise<void>;

  /**
   * Leases up to `limit` due deliveries of the endpoint to the caller alone, each for one attempt, longest due first;
   * none of a disabled endpoint. A delivery whose earlier lease ran out is leased again, and the lost attempt recorded.
   */
  abstract claimAcrossAccounts(endpointId: string, limit: number): Promise<ClaimedDelivery[]>;

  /**
   * Reverts those claims of one endpoint that the caller still holds: no attempt was made, and the deliveries are due
   * as before. Retries until it succeeds, and calls `onRetry` before each retry.
   */
  abstract release(deliveries: readonly ClaimedDelivery[], onRetry: (error: Error) => void): Promise<void>;

  /** Renews the leases of these deliveries, and marks those as lost that another worker has claimed. */
  abstract renew(deliveries: readonly ClaimedDelivery[]): Promise<void>;

  /**
   * Records the attempt with its effects on the delivery and the endpoint, all or nothing; see `DISABLE_AFTER_DAYS` for
   * when an endpoint is disabled. Returns false, and changes nothing, if the delivery was removed or another worker has
   * claimed it since. Retries until it succeeds, and calls `onRetry` before each retry.
   */
  abstract record(
    delivery: ClaimedDelivery,
    result: AttemptResult,
    outcome: AttemptOutcome,
    onRetry: (error: Error) => void,
  ): Promise<boolean>;

  /** The enabled endpoints with due deliveries. */
  abstract listDueEndpointsAcrossAccounts(): Promise<string[]>;

  /** The number of deliveries that have not ended. */
  abstract countWaitingAcrossAccounts(): Promise<number>;
}

export abstract class WebhookJobs {
  /** Enqueues jobs that deliver what is due for these endpoints. Never throws: the sweep finds what has no job. */
  abstract enqueue(endpointIds: readonly string[]): Promise<void>;
}

/**
 * Removes expired rows in steps that each take a moment, however many rows there are. A step returns the id that the
 * next one starts after, or null if it was the last.
 */
export abstract class WebhookRetention {
  /** Looks at `limit` deliveries, and removes those that ended, or whose endpoint was disabled, before the time. */
  abstract purgeAcrossAccounts(before: Date, afterId: string, limit: number): Promise<string | null>;

  /** Endpoints that their accounts have deleted and that still have rows. */
  abstract listDeletedEndpointsAcrossAccounts(): Promise<string[]>;

  /** Removes `limit` deliveries of a deleted endpoint, and the endpoint with the last of them. */
  abstract removeEndpointAcrossAccounts(endpointId: string, afterId: string, limit: number): Promise<string | null>;
}
