import type { AccountEvent } from '../account-event.js';

export interface KeptEvent extends AccountEvent {
  /** The message may still become known. */
  mayMatch: boolean;
}

/** Events that match no message of their account (yet), and events of unknown type; see `domain/retention.ts`. */
export abstract class UnmatchedEvents {
  /** Joins the running transaction. Events that are kept already do not change. */
  abstract keep(events: readonly KeptEvent[], now: Date): Promise<void>;

  /** Returns the accounts with events that are due to be matched again. */
  abstract listDueAcrossAccounts(now: Date): Promise<string[]>;

  /** Joins the running transaction: locks and returns due events, those of each account that have waited longest. */
  abstract takeDue(accountIds: readonly string[], now: Date, limitPerAccount: number): Promise<AccountEvent[]>;

  abstract remove(events: readonly AccountEvent[]): Promise<void>;

  /** The longer events have been kept, the later they become due again. */
  abstract postpone(events: readonly AccountEvent[], now: Date): Promise<void>;

  /** Removes expired events, and returns their number by provider. */
  abstract expireAcrossAccounts(now: Date): Promise<{ provider: string; count: number }[]>;
}
