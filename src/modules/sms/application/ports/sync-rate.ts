/**
 * Limits the requests about an opt-out list over all accounts and processes. A `source` names the AWS access that they
 * share.
 */
export abstract class SyncRate {
  /** The time between two requests for a page. */
  abstract readonly pageIntervalMs: number;

  /** Reserves a slot for a request. Returns the milliseconds until it begins. */
  abstract reserve(source: string, request: 'page' | 'number'): Promise<number>;
}
