/** A pass over an account's opt-out list, leased to one process. */
export interface SyncPass {
  accountId: string;
  leaseHolder: string;
  /** Stays the same when another process takes over the pass. */
  passId: string;
  /** The token of the next page; null: the first page. */
  nextToken: string | null;
}

export interface OptOutSync {
  /** Numbers suppressed by the pass. */
  added: number;
  /** Numbers on the list that the pass has read so far. */
  total: number;
  /** The time when the last complete pass ended; null: never. */
  syncedAt: Date | null;
  /** The provider's error if the list could not be read; null once a page is read again. */
  error: string | null;
}

export interface SyncState {
  /** Whether a process holds the lease. */
  isRunning: boolean;
  /** Whether pages are left, so that the next run adds to `total` instead of beginning at zero. */
  isUnfinished: boolean;
}

/** Another process has taken the lease. Nothing was written. */
export class LeaseLostError extends Error {}

/** The progress of the opt-out sync of each account. One process at a time holds the lease of an account. */
export abstract class OptOutSyncRepository {
  /**
   * Resumes the unfinished pass or begins a new one; null if another process holds the lease. If the `source` has
   * changed, which is another AWS account, forgets the numbers of the old one, so that their absence from the new list
   * lifts no suppression.
   */
  abstract claim(accountId: string, source: string, now: Date): Promise<SyncPass | null>;

  /** Extends the lease. Changes nothing if it is lost. */
  abstract renew(pass: SyncPass): Promise<void>;

  /** Records that the provider refused a page or did not answer. Changes nothing if the lease is lost. */
  abstract recordFailure(pass: SyncPass, error: string): Promise<void>;

  /** Begins a new pass at the first page. Throws LeaseLostError. */
  abstract restart(pass: SyncPass, now: Date): Promise<SyncPass>;

  /** Ends the pass and the lease. Throws LeaseLostError. */
  abstract complete(pass: SyncPass, now: Date): Promise<OptOutSync>;

  /** Ends the lease if it is still held, so that any process may resume the pass. */
  abstract release(pass: SyncPass): Promise<void>;

  /** The progress of the unfinished pass, or the result of the last one. */
  abstract get(accountId: string): Promise<OptOutSync & SyncState>;
}
