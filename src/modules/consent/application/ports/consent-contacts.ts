/** The contacts of addresses. Implemented by the contacts module. */
export abstract class ConsentContacts {
  /** The id of the contact of each normalised email address, in order; null if it has none. */
  abstract findIdsAcrossAccounts(
    addresses: readonly { accountId: string; email: string }[],
  ): Promise<(string | null)[]>;

  /**
   * Whether the person with the normalised email address has not been erased. If so, nobody erases them until the
   * current transaction ends.
   */
  abstract keepUnerased(accountId: string, email: string): Promise<boolean>;
}
