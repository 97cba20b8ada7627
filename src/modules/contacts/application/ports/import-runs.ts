import type { ClaimedImport, RowCounts, RowError } from '../../domain/contact-import.js';

/** Another worker has the import now, or it is over. */
export class ClaimLost extends Error {}

/** Imports as those see them who carry them out. A claim ends by itself, some time after its last sign of life. */
export abstract class ImportRuns {
  /**
   * The import of the account that is next, where no other worker has one: those of an account run one after the other. A dry
   * run begins anew, others go on. `attempt` counts claims since rows were last recorded.
   */
  abstract claim(accountId: string, now: Date): Promise<{ claimed: ClaimedImport; attempt: number } | null>;

  /** A sign of life. Throws ClaimLost. */
  abstract renew(claimed: ClaimedImport, now: Date): Promise<void>;

  /** Throws ClaimLost. */
  abstract recordTotal(claimed: ClaimedImport, total: number, now: Date): Promise<void>;

  /** Adds to the counts and errors, with what else the running transaction writes; a sign of life. Throws ClaimLost. */
  abstract advance(claimed: ClaimedImport, counts: RowCounts, errors: readonly RowError[], now: Date): Promise<void>;

  /** Ends the claim before its time, so that any worker may go on. */
  abstract release(claimed: ClaimedImport): Promise<void>;

  /** Done, or failed for this reason; the file is removed. Nothing where the claim was lost. */
  abstract finish(claimed: ClaimedImport, error: string | null, now: Date): Promise<void>;

  /** Accounts with an import that a worker could claim. */
  abstract listWaitingAcrossAccounts(now: Date): Promise<string[]>;
}
