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
