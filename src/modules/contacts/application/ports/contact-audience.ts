import type { ContactStatus } from '../../domain/contact.js';

/** Contacts on one of the lists or with one of the tags, except those on an excluded list or with an excluded tag. */
export interface AudienceSelection {
  listIds: readonly string[];
  tags: readonly string[];
  excludeListIds: readonly string[];
  excludeTags: readonly string[];
}

/** What a mailing shows of a contact. */
export interface AudienceContact {
  id: string;
  email: string;
  normalisedEmail: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  status: ContactStatus;
}

/** The contacts of one account that a mailing goes to. */
export abstract class ContactAudience {
  /** Suppressed are those that are not active. */
  abstract count(accountId: string, selection: AudienceSelection): Promise<{ active: number; suppressed: number }>;

  /**
   * Returns the ids of all members at one moment, in ascending order and in portions of at most `size`. If all lists
   * still exist afterwards, nobody is missing because of a list that was deleted meanwhile.
   */
  abstract listIds(accountId: string, selection: AudienceSelection, size: number): Promise<string[][]>;

  /** By id; without those that were deleted. */
  abstract findContacts(accountId: string, ids: readonly string[]): Promise<Map<string, AudienceContact>>;

  /** Returns the tags that no contact of the account has. */
  abstract findUnknownTags(accountId: string, tags: readonly string[]): Promise<Set<string>>;
}
