/**
 * Limits the requests about an opt-out list over all accounts and processes. Requests about the same subject share a
 * limit.
 */
export abstract class SyncRate {
  /** The time between two requests for a page. */
  abstract readonly pageIntervalMs: number;

  /** Reserves a slot for a request. Returns the milliseconds until it begins. */
  abstract reserve(subject: string, request: 'page' | 'number'): Promise<number>;
}
