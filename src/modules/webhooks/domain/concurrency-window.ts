const INITIAL_LIMIT = 10;
const MAX_LIMIT = 64;
const MAX_PREFETCH = 2 * MAX_LIMIT;

/** How many concurrent attempts one endpoint gets: one more after each success, half as many after each failure. */
export class ConcurrencyWindow {
  private current = INITIAL_LIMIT;

  get limit(): number {
    return this.current;
  }

  /** How many deliveries may be claimed before a slot is free: none until the limit has reached its maximum. */
  get prefetch(): number {
    return this.current === MAX_LIMIT ? MAX_PREFETCH : 0;
  }

  adjust(wasDelivered: boolean): void {
    this.current = wasDelivered ? Math.min(MAX_LIMIT, this.current + 1) : Math.max(1, Math.floor(this.current / 2));
  }
}
