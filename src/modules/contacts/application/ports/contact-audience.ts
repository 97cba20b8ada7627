import type { ContactStatus } from '../../domain/contact.js';

/** Contacts on one of the lists or with one of the tags, except those on an excluded list or with an excluded tag. */
export interface AudienceSelection {
  listIds: readonly string[];
  tags: readonly string[];
  excludeListIds: readonly string[];
  excludeTags: readonly string[];
}

export interface AudienceMember {
  id: string;
  email: string;
  normalisedEmail: string;
  status: ContactStatus;
}

/** What a mailing shows of a contact. */
export interface AudienceContact {
  id: string;
  email: string;
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
   * Returns the next members in the order of their ids. Considers the `limit` next contacts of the lists and tags, the
   * last of which is `lastId`; null if there are none.
   */
  abstract listAfter(
    accountId: string,
    selection: AudienceSelection,
    afterId: string,
    limit: number,
  ): Promise<{ members: AudienceMember[]; lastId: string | null }>;

  /** By id; without those that were deleted. */
  abstract findContacts(accountId: string, ids: readonly string[]): Promise<Map<string, AudienceContact>>;

  /** Returns the tags that no contact of the account has. */
  abstract findUnknownTags(accountId: string, tags: readonly string[]): Promise<Set<string>>;
}
