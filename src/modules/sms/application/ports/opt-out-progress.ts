/** One process that reads an account's opt-out list, as long as its lease lasts. */
export interface OptOutReading {
  accountId: string;
  /** Names the lease. */
  holder: string;
  /** Names the pass over the list, which another process may have begun. */
  round: string;
  /** Of the page to go on with; null: the first one. */
  nextToken: string | null;
}

export interface OptOutSync {
  /** Suppressed by the pass. */
  added: number;
  /** On the list, as far as the pass has come. */
  total: number;
  /** When a pass was complete last; null: never yet. */
  syncedAt: Date | null;
  /** The provider's error if the list could not be read; null once a page is read again. */
  error: string | null;
}

export interface OptOutReadingState {
  /** Whether a process holds the lease. */
  isBeingRead: boolean;
  /** Whether pages are left, so that the next reading adds to `total` instead of beginning at zero. */
  isUnfinished: boolean;
}

/** The lease was another process's by now: what was to be written is not. */
export class LeaseLostError extends Error {}

/** How far the reading of each account's opt-out list has come. There is one reading of an account at a time. */
export abstract class OptOutProgress {
  /**
   * Goes on with the pass that was left, or begins one; null where it is being read. A list of another `source`, which is
   * another account of the provider, is forgotten then, so that what it does not say lifts no suppression.
   */
  abstract begin(accountId: string, source: string, now: Date): Promise<OptOutReading | null>;

  /** Within the running transaction. Throws a LeaseLostError. */
  abstract recordPage(
    reading: OptOutReading,
    page: { numbers: readonly string[]; nextToken: string | null; added: number },
    now: Date,
  ): Promise<void>;

  /** The provider refused a page or did not answer. Changes nothing if the lease is lost. */
  abstract recordFailure(reading: OptOutReading, error: string): Promise<void>;

  /** Begins the pass anew. Throws a LeaseLostError. */
  abstract restart(reading: OptOutReading, now: Date): Promise<OptOutReading>;

  /** Of the numbers of earlier passes those that this one, which came to the list's end, did not find; at most `limit`. */
  abstract findMissing(reading: OptOutReading, limit: number): Promise<string[]>;

  /** Within the running transaction, in which a page was recorded. */
  abstract forget(reading: OptOutReading, numbers: readonly string[]): Promise<void>;

  /** The pass is complete. Throws a LeaseLostError. */
  abstract complete(reading: OptOutReading, now: Date): Promise<OptOutSync>;

  /** Ends the lease, if it is still held: anybody may go on. */
  abstract leave(reading: OptOutReading): Promise<void>;

  /** Of the pass under way, or of the last one. */
  abstract find(accountId: string, now: Date): Promise<OptOutSync & OptOutReadingState>;
}
