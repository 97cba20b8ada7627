/** What is being erased, and what is kept of it elsewhere. */
export abstract class ContactErasures {
  /** Within the running transaction. The address is kept, encrypted, until `close`; due some minutes from now. */
  abstract open(accountId: string, contactId: string, email: string, now: Date): Promise<void>;

  /** Of an erasure that is not closed yet, else null. */
  abstract findEmail(accountId: string, contactId: string): Promise<string | null>;

  /**
   * Cancels messages to the address that wait and removes the person from all messages to it, their contents and timelines,
   * events not matched or not told yet, and reports of imports; in one transaction. Messages that a worker is sending are
   * left, and counted: they are for a later call.
   */
  abstract removeTraces(accountId: string, email: string): Promise<{ beingSent: number }>;

  abstract listDueAcrossAccounts(now: Date): Promise<{ accountId: string; contactId: string }[]>;

  /** Due again some minutes from now. */
  abstract postpone(accountId: string, contactId: string, now: Date): Promise<void>;

  /** Forgets the address. */
  abstract close(accountId: string, contactId: string): Promise<void>;
}
