import type { SuppressionReason } from '../../domain/suppression.js';

export interface ContactAddress {
  accountId: string;
  /** Normalised. */
  email: string;
}

/** The details of the contact of an address that events contain. */
export interface ContactDetails {
  contactId: string;
  firstName: string | null;
  lastName: string | null;
}

/** Contacts, whose status follows from the suppression of their address. Implemented by the contacts module. */
export abstract class SuppressedContacts {
  /**
   * Call it before suppressing or lifting in the current transaction. Until the transaction ends, nobody else
   * suppresses or lifts in these accounts, commits new contacts in them, or changes the contacts of these addresses.
   */
  abstract lock(accountIds: readonly string[], addresses: readonly ContactAddress[]): Promise<void>;

  /** Returns the contact of each address, in order; null if it has none. */
  abstract findAcrossAccounts(addresses: readonly ContactAddress[]): Promise<(ContactDetails | null)[]>;

  /** Sets the status that follows from this reason for the suppression of the address; null if it is not suppressed. */
  abstract updateStatuses(
    contacts: readonly { accountId: string; contactId: string; reason: SuppressionReason | null }[],
    now: Date,
  ): Promise<void>;
}
