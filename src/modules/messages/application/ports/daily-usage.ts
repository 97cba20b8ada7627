import type { CapUsage } from '../../domain/daily-caps.js';

/** Counts the messages accepted per UTC day for each account and key. */
export abstract class DailyUsage {
  /** What is used now; a later call may find more. `keyLimit` is handed back. */
  abstract find(accountId: string, apiKeyId: string, keyLimit: number | null): Promise<CapUsage>;

  /** Forgets the counters of days before yesterday. */
  abstract forgetOldDaysAcrossAccounts(): Promise<void>;
}
