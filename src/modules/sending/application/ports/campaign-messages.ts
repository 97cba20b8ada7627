import type { MessageTotals } from '../../../messages/index.js';

/** Content of a campaign, frozen when it starts and stored once. */
export interface CampaignContent {
  subject: string;
  html: string | null;
  text: string | null;
  variables: Readonly<Record<string, unknown>>;
}

export interface CampaignSend {
  id: string;
  accountId: string;
  fromEmail: string;
  fromName: string | null;
  replyTo: string | null;
  name: string;
}

/** `messageId` and `createdAt` were assigned once, when the audience was written; offered again after a crash. */
export interface CampaignRecipient {
  messageId: string;
  createdAt: Date;
  contactId: string;
  email: string;
  /** Of email, firstName, lastName and company, those that the contact has. */
  placeholders: Readonly<Record<string, string>>;
}

/** `duplicate`: stored by an earlier offer. */
export type CampaignIntakeOutcome = 'accepted' | 'duplicate' | 'suppressed' | 'over_cap';

/** Messages of campaigns. */
export abstract class CampaignMessages {
  /** Stores the content of a campaign. Idempotent; takes part in the current transaction. */
  abstract freeze(campaign: Pick<CampaignSend, 'id' | 'accountId' | 'name'>, content: CampaignContent): Promise<void>;

  /** Stores at most 500 messages in one statement, under exact caps. Returns the outcomes in order. */
  abstract accept(campaign: CampaignSend, recipients: readonly CampaignRecipient[]): Promise<CampaignIntakeOutcome[]>;

  /** Counts accepted messages that are not final yet. */
  abstract countPending(accountId: string, campaignId: string): Promise<number>;

  abstract totals(accountId: string, campaignId: string): Promise<MessageTotals & { unsubscribed: number }>;

  /** Returns ids of messages with the status `failed`, in order, that are greater than `afterId`. */
  abstract findFailed(accountId: string, campaignId: string, afterId: string | null, limit: number): Promise<string[]>;
}
