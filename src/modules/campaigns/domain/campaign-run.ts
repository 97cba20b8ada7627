import type { SkipReason } from './campaign-recipient.js';
import type { Audience, WaitReason } from './campaign.js';

/** A selection of the audience is one statement, during which no lease is renewed. */
export const SELECTION_LEASE_MS = 45_000;

/** A running campaign that one worker feeds while it holds the claim. */
export interface CampaignRun {
  id: string;
  accountId: string;
  claimId: string;
  name: string;
  fromEmail: string;
  fromName: string | null;
  replyTo: string | null;
  topicId: string | null;
  audience: Audience;
  maxPerMinute: number | null;
  hasAudience: boolean;
  /** Recipients up to this message id have been offered. */
  fedUpTo: string;
  pacedUntil: Date | null;
  /** Whether the last recipient that was offered had no room under the daily cap. */
  isOverCap: boolean;
}

export interface WaitingRecipient {
  messageId: string;
  contactId: string;
  email: string;
}

/** The result of offering recipients, in the order of their message ids. */
export interface FedPortion {
  /** The last of the recipients that are done; unchanged if none is. */
  fedUpTo: string;
  accepted: number;
  skipped: { messageId: string; reason: SkipReason }[];
  waitingFor: WaitReason | null;
  pacedUntil: Date | null;
}
