import type { SuppressionReason } from '../../domain/suppression.js';

export interface ContactAddress {
  accountId: string;
  /** As compared. */
  email: string;
}

/** Whom an address belongs to, as events tell it. */
export interface ContactFacts {
  contactId: string;
  firstName: string | null;
  lastName: string | null;
}

/** The contacts of an account, whose status says whether their address is suppressed; the contacts module provides them. */
export abstract class SuppressedContacts {
  /**
   * Within the running transaction, before anything is suppressed or lifted: until it ends nobody else does so in these
   * accounts, commits new contacts of them, or changes the contacts of these addresses.
   */
  abstract hold(accountIds: readonly string[], addresses: readonly ContactAddress[]): Promise<void>;

  /** Of each address, in order, its contact; null where it has none. */
  abstract findAcrossAccounts(addresses: readonly ContactAddress[]): Promise<(ContactFacts | null)[]>;

  /** Gives contacts the status that follows from the suppression of their address for this reason; null: of its end. */
  abstract follow(
    contacts: readonly { accountId: string; contactId: string; reason: SuppressionReason | null }[],
    now: Date,
  ): Promise<void>;
}
