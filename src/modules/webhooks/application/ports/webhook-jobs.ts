export abstract class WebhookJobs {
  /** Wakes workers for these endpoints. Never throws: an alarm that is lost is found by the sweep. */
  abstract ring(endpointIds: readonly string[]): Promise<void>;
}
