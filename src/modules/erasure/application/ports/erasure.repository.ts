/** The progress of a pass over everything that is stored about a person. */
export interface ErasureProgress {
  /** The position of the part among the erasures of all modules. */
  step: number;
  /** The position from which the part continues in its tables. */
  after: string;
  /** Whether the erasure needs another pass after this one. */
  mustRepeat: boolean;
}

export interface OpenErasure {
  accountId: string;
  contactId: string;
  /** Normalised. */
  email: string;
  progress: ErasureProgress;
}

/** Erasures that are not complete yet. The address is kept, encrypted, until `close`. */
export abstract class ErasureRepository {
  /** Records the erasure in the current transaction, with a first pass that must be repeated. */
  abstract open(accountId: string, contactId: string, email: string, dueAt: Date): Promise<void>;

  /** The open erasure, else null. */
  abstract find(accountId: string, contactId: string): Promise<OpenErasure | null>;

  abstract listDueAcrossAccounts(now: Date): Promise<{ accountId: string; contactId: string }[]>;

  abstract saveProgress(accountId: string, contactId: string, progress: ErasureProgress): Promise<void>;

  abstract setDue(accountId: string, contactId: string, at: Date): Promise<void>;

  /** Deletes the erasure and, with it, the address. */
  abstract close(accountId: string, contactId: string): Promise<void>;
}
