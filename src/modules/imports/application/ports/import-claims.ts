import type { ClaimedImport, RowCounts, RowError } from '../../domain/contact-import.js';

/** Another worker has claimed the import, or it is finished. */
export class ClaimLostError extends Error {}

/** Claims of imports by workers, and their progress. A claim is a lease that every recorded progress renews. */
export abstract class ImportClaims {
  /**
   * Claims the next import of the account, unless a worker has one: the imports of an account run one after the other.
   * A dry run starts over, other imports continue. `attempt` counts the claims since progress was last recorded.
   */
  abstract claim(accountId: string, now: Date): Promise<{ claimed: ClaimedImport; attempt: number } | null>;

  /** Throws ClaimLostError. */
  abstract renew(claimed: ClaimedImport): Promise<void>;

  /** Throws ClaimLostError. */
  abstract recordTotal(claimed: ClaimedImport, total: number): Promise<void>;

  /** Adds to the counts and errors, in the transaction that writes the rows. Throws ClaimLostError. */
  abstract advance(claimed: ClaimedImport, counts: RowCounts, errors: readonly RowError[]): Promise<void>;

  /** Ends the claim, so that any worker may continue. */
  abstract release(claimed: ClaimedImport): Promise<void>;

  /** Marks the import as done, or as failed with `error`, and removes its file. Does nothing if the claim was lost. */
  abstract finish(claimed: ClaimedImport, error: string | null, now: Date): Promise<void>;

  /** Returns the accounts with an import that a worker could claim. */
  abstract listWaitingAcrossAccounts(): Promise<string[]>;
}
