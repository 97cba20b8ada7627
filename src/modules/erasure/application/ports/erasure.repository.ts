/** Erasures that are not complete yet. The address is kept, encrypted, until `close`. */
export abstract class ErasureRepository {
  /** Records the erasure in the current transaction; it is due again some minutes from `now`. */
  abstract open(accountId: string, contactId: string, email: string, now: Date): Promise<void>;

  /** The address of an open erasure, else null. */
  abstract findEmail(accountId: string, contactId: string): Promise<string | null>;

  abstract listDueAcrossAccounts(now: Date): Promise<{ accountId: string; contactId: string }[]>;

  /** Makes the erasure due again some minutes from `now`. */
  abstract postpone(accountId: string, contactId: string, now: Date): Promise<void>;

  /** Deletes the erasure and, with it, the address. */
  abstract close(accountId: string, contactId: string): Promise<void>;
}
