import type { Attributes } from '../../../../shared/attributes.js';
import type { ContactStatus } from '../../domain/contact.js';

/** Contacts on one of the lists or with one of the tags, except those on an excluded list or with an excluded tag. */
export interface AudienceSelection {
  listIds: readonly string[];
  tags: readonly string[];
  excludeListIds: readonly string[];
  excludeTags: readonly string[];
}

/** The fields of a contact that a mailing shows. */
export interface AudienceContact {
  id: string;
  email: string;
  normalisedEmail: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  /** Null if there are none, or if they were not asked for. */
  attributes: Attributes | null;
  status: ContactStatus;
}

export interface AudienceCount {
  /** Active contacts, without the ones below. */
  active: number;
  /** Contacts that are not active. */
  suppressed: number;
  /** Active contacts without a standing consent to marketing, if it is required. */
  withoutConsent: number;
  /** Active contacts that are out of the topic, if there is one. */
  outOfTopic: number;
}

export type ConsentCount = Omit<AudienceCount, 'suppressed'>;

export interface AudienceRules {
  requiresConsent: boolean;
  topic: { id: string; byDefault: 'in' | 'out' } | null;
}

/** The contacts of one account that a mailing goes to. */
export abstract class ContactAudience {
  abstract count(accountId: string, selection: AudienceSelection, rules: AudienceRules): Promise<AudienceCount>;

  /** Counts all active contacts of the account as if consent, or that to the topic, was required. */
  abstract countConsents(accountId: string, topic: AudienceRules['topic']): Promise<ConsentCount>;

  /**
   * Returns the ids of all members at one moment, in ascending order and in portions of at most `size`. If all lists
   * still exist afterwards, nobody is missing because of a list that was deleted meanwhile.
   */
  abstract listIds(accountId: string, selection: AudienceSelection, size: number): Promise<string[][]>;

  /**
   * Counts the active members that the rules do not leave out and that have no value for each of the fields, in order:
   * `firstName`, `attributes.city` and so on. Nobody has one for a field that contacts do not have.
   */
  abstract countWithout(
    accountId: string,
    selection: AudienceSelection,
    fields: readonly string[],
    rules: AudienceRules,
  ): Promise<Map<string, number>>;

  /** The contacts by their ids; deleted ones are missing. */
  abstract findContacts(
    accountId: string,
    ids: readonly string[],
    options?: { withAttributes?: boolean },
  ): Promise<Map<string, AudienceContact>>;
}
