/** Whom a message went to, as the account knows the person. */
export interface RecipientContact {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  tags: string[];
  status: string;
}

/** The contacts of accounts; the contacts module provides them. */
export abstract class RecipientContacts {
  /** Null for a contact of another account and one that was deleted. */
  abstract find(accountId: string, contactId: string): Promise<RecipientContact | null>;
}
