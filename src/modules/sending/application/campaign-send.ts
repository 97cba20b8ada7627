import type { MessageTotals } from '../../messages/index.js';
import type { Placeholders } from '../domain/placeholders.js';

export interface CampaignSend {
  id: string;
  accountId: string;
  name: string;
  fromEmail: string;
  fromName: string | null;
  replyTo: string | null;
  topicId: string | null;
}

export interface CampaignRecipient {
  /** Assigned once, when the audience was written, like `createdAt`; offered again after a crash. */
  messageId: string;
  /** Not the time of acceptance: the message keeps it, and it never differs between two offers. */
  createdAt: Date;
  contactId: string;
  email: string;
  /** `email`, `firstName`, `lastName`, `company`, `attributes.…`. They take precedence over variables, unless empty. */
  placeholders: Placeholders;
}

export type CampaignTotals = MessageTotals & {
  /** Recipients who unsubscribed through the link of one of these messages. */
  unsubscribed: number;
};
