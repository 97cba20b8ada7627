/** Entries whose address is not known any more, only how to recognise it. */
export abstract class ErasedSuppressions {
  /** Within the running transaction. An entry that stands is kept without its address and note; else one is added. */
  abstract suppress(accountId: string, email: string, contactId: string, now: Date): Promise<void>;

  /** Whether an address was erased with this contact. */
  abstract knowsContact(accountId: string, contactId: string): Promise<boolean>;
}
