import type { CapUsage } from '../../domain/daily-caps.js';

/** Counts of the messages accepted per UTC day, for each account and key. */
export abstract class DailyUsage {
  /** The current usage; it may have grown by the next call. `keyLimit` is returned as given. */
  abstract get(accountId: string, apiKeyId: string, keyLimit: number | null): Promise<CapUsage>;

  /**
   * Like `get`, but if the usage leaves room for a message, it may be up to a second old: other processes may have
   * accepted messages since.
   */
  abstract getRecent(accountId: string, apiKeyId: string, keyLimit: number | null): Promise<CapUsage>;

  /** Removes the counters of days before yesterday. */
  abstract purgeOldDaysAcrossAccounts(): Promise<void>;
}
