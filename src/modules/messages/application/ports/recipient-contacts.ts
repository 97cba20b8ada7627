/** The contact that a message was sent to. */
export interface RecipientContact {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  tags: string[];
  status: string;
}

/** Implemented by the contacts module. */
export abstract class RecipientContacts {
  /** Null for a contact of another account and for one that was deleted. */
  abstract find(accountId: string, contactId: string): Promise<RecipientContact | null>;
}
