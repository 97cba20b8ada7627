import type { Attributes, AttributeValue } from '../../../shared/attributes.js';
import { idTime, newIds } from '../../../shared/ids.js';

export const RECIPIENT_OUTCOMES = ['waiting', 'accepted', 'skipped'] as const;
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number];

export const SKIP_REASONS = ['suppressed', 'no_consent', 'out_of_topic', 'deleted', 'failed'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** Normalised addresses that the campaign skips. */
export interface Unwilling {
  /** Addresses that are out of the topic of the campaign. */
  outOfTopic: ReadonlySet<string>;
  /** Addresses without a required consent. */
  lackingConsent: ReadonlySet<string>;
}

/** The reason to skip a contact; null if there is none. */
export function reasonToSkip(
  { status, normalisedEmail }: { status: string; normalisedEmail: string },
  { outOfTopic, lackingConsent }: Unwilling,
): SkipReason | null {
  if (status !== 'active') return 'suppressed';
  if (outOfTopic.has(normalisedEmail)) return 'out_of_topic';
  return lackingConsent.has(normalisedEmail) ? 'no_consent' : null;
}

/** A recipient to be added to a campaign. */
export interface NewRecipient {
  contactId: string;
  email: string;
  /** Null if it is not known, because the contact is gone. */
  normalisedEmail: string | null;
  reason: SkipReason | null;
}

/** A recipient of a campaign, with the outcome. */
export interface ListedRecipient {
  email: string;
  contactId: string;
  messageId: string;
  outcome: RecipientOutcome;
  /** Why the recipient was skipped. */
  reason: SkipReason | null;
}

/** New ids in ascending order, greater than all that the campaign has assigned before. */
export function messageIdsAfter(lastId: string, now: Date, count: number): string[] {
  const earliest = lastId === '' ? 0 : idTime(lastId).getTime() + 1;
  return newIds(new Date(Math.max(now.getTime(), earliest)), count);
}

interface NamedContact {
  email: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  attributes: Attributes | null;
}

/**
 * The values of a contact that a campaign can show, by the names of their placeholders. Unknown ones are absent, so
 * that a variable can replace them.
 */
export function placeholdersOf(contact: NamedContact): Record<string, AttributeValue> {
  const { email, firstName, lastName, company, attributes } = contact;
  const known = Object.entries({ email, firstName, lastName, company }).filter(([, value]) => value !== null);
  const own = Object.entries(attributes ?? {}).map(([key, value]) => [`attributes.${key}`, value]);
  return Object.fromEntries([...known, ...own]) as Record<string, AttributeValue>;
}
