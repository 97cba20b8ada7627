import type { CapRequest, CapUsage } from '../../domain/daily-caps.js';

/** Counts the messages accepted per UTC day for each account and key. */
export abstract class DailyUsage {
  /** What is used now; a later call may find more. */
  abstract find(request: CapRequest, now: Date): Promise<CapUsage>;

  /**
   * Within the running transaction: counts each request that has room, in order, and says what was used before it.
   * Requests without room are not counted. The counters stay locked until the transaction ends, so that no two
   * transactions let one message too many through.
   */
  abstract reserve(requests: readonly CapRequest[], now: Date): Promise<CapUsage[]>;
}
