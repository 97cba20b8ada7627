import type { SyncPass } from './opt-out-sync.repository.js';

/** The numbers on the provider's opt-out list, as the passes have read them. */
export abstract class OptedOutNumbers {
  /** Joins the running transaction, records the progress of the pass and renews its lease. Throws LeaseLostError. */
  abstract recordPage(
    pass: SyncPass,
    page: { numbers: readonly string[]; nextToken: string | null; added: number },
  ): Promise<void>;

  /** Numbers of earlier passes that this pass, which has read the whole list, did not find; at most `limit`. */
  abstract findMissing(pass: SyncPass, limit: number): Promise<string[]>;

  /** Joins the running transaction, which has recorded a page. */
  abstract removeMissing(pass: SyncPass, numbers: readonly string[]): Promise<void>;
}
