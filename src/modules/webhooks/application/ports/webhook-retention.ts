/**
 * Removes what is past keeping in steps that each take a moment, however much there is. A step begins after the delivery
 * where the one before ended; null says that it was the last.
 */
export abstract class WebhookRetention {
  /** Looks at the next `limit` deliveries, and removes those that ended, or whose endpoint was disabled, before the time. */
  abstract forgetAcrossAccounts(before: Date, afterId: string, limit: number): Promise<string | null>;

  /** Those that their accounts have deleted, and that are still there. */
  abstract deletedEndpointsAcrossAccounts(): Promise<string[]>;

  /** Removes the next `limit` deliveries of such an endpoint, and with the last of them the endpoint. */
  abstract clearAcrossAccounts(endpointId: string, afterId: string, limit: number): Promise<string | null>;
}
