export abstract class WebhookJobs {
  /** Enqueues jobs that deliver what is due for these endpoints. Never throws: the sweep finds what has no job. */
  abstract enqueue(endpointIds: readonly string[]): Promise<void>;
}
