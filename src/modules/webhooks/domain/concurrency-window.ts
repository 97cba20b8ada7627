import { MAX_ATTEMPTS_PER_ENDPOINT } from '../../../config/limits.js';

const INITIAL_LIMIT = 10;
const MAX_PREFETCH = 2 * MAX_ATTEMPTS_PER_ENDPOINT;

/** The number of concurrent attempts for one endpoint: one more after each success, half as many after each failure. */
export class ConcurrencyWindow {
  private current = INITIAL_LIMIT;

  get limit(): number {
    return this.current;
  }

  /** How many deliveries may be claimed before a slot is free: none until the limit has reached its maximum. */
  get prefetch(): number {
    return this.current === MAX_ATTEMPTS_PER_ENDPOINT ? MAX_PREFETCH : 0;
  }

  adjust(wasDelivered: boolean): void {
    this.current = wasDelivered
      ? Math.min(MAX_ATTEMPTS_PER_ENDPOINT, this.current + 1)
      : Math.max(1, Math.floor(this.current / 2));
  }
}
