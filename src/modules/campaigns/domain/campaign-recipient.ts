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
