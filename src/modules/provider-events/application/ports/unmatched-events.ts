import type { AccountEvent } from '../account-event.js';

export interface KeptEvent extends AccountEvent {
  /** The message may still become known. */
  mayMatch: boolean;
}

/** Events that match no message of their account (yet), and events of unknown type; see `event-retention.ts`. */
export abstract class UnmatchedEvents {
  /** Within the running transaction. Events that are kept already do not change. */
  abstract keep(events: readonly KeptEvent[], now: Date): Promise<void>;

  /** Within the running transaction: locks and returns up to `limit` events that are due to be matched again. */
  abstract takeDueAcrossAccounts(now: Date, limit: number): Promise<AccountEvent[]>;

  abstract remove(events: readonly AccountEvent[]): Promise<void>;

  /** The longer events have been kept, the later they become due again. */
  abstract postpone(events: readonly AccountEvent[], now: Date): Promise<void>;

  /** Removes expired events, and returns their number by provider. */
  abstract expireAcrossAccounts(now: Date): Promise<{ provider: string; count: number }[]>;
}
