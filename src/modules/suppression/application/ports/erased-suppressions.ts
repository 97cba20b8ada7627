/** Suppressions of erased addresses, of which only a hash is stored. */
export abstract class ErasedSuppressions {
  /** In the current transaction, replaces the address and note of an existing entry by the hash, or adds an entry. */
  abstract suppress(accountId: string, email: string, contactId: string, now: Date): Promise<void>;

  /** Whether an address was erased with this contact. */
  abstract isErasedContact(accountId: string, contactId: string): Promise<boolean>;
}
