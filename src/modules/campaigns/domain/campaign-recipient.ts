import { idTime, newIds } from '../../../shared/ids.js';

export const RECIPIENT_OUTCOMES = ['waiting', 'accepted', 'skipped'] as const;
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number];

export const SKIP_REASONS = ['suppressed', 'deleted', 'failed'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** A recipient to be added to a campaign. */
export interface NewRecipient {
  contactId: string;
  email: string;
  /** Null if it is not known, because the contact is gone. */
  normalisedEmail: string | null;
  reason: SkipReason | null;
}

/** A recipient of a campaign, and what became of it. */
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
}

/** The values of a contact that a campaign can show. Unknown ones are absent, so that a variable can replace them. */
export function placeholdersOf({ email, firstName, lastName, company }: NamedContact): Record<string, string> {
  const known = Object.entries({ email, firstName, lastName, company }).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as Record<string, string>;
}
