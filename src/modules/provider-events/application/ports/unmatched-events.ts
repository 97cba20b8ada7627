import type { AccountEvent } from '../account-event.js';

export interface KeptEvent extends AccountEvent {
  /** Its message may still come. */
  mayMatch: boolean;
}

/** Events that belong to no message of their account, or to none yet, for a day; unknown ones for a month. */
export abstract class UnmatchedEvents {
  /** Within the running transaction. One that is kept already stays as it is. */
  abstract keep(events: readonly KeptEvent[], now: Date): Promise<void>;

  /** Within the running transaction, locked: at most so many that are due to be matched again. Nobody else gets them. */
  abstract takeDueAcrossAccounts(now: Date, limit: number): Promise<AccountEvent[]>;

  abstract remove(events: readonly AccountEvent[]): Promise<void>;

  /** They become due again, the later the longer they have been kept. */
  abstract postpone(events: readonly AccountEvent[], now: Date): Promise<void>;

  /** Removes what was kept for its time; says of which provider. */
  abstract expireAcrossAccounts(now: Date): Promise<{ provider: string; count: number }[]>;
}
