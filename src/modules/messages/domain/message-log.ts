import type { Channel, SmsEncoding } from '../../../shared/channel.js';

export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'suppressed',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Stands for the recipient of a message who was erased. Not an address, so that none can be taken for it. */
export const ERASED_RECIPIENT = 'erased';

/** One message to one recipient, and what became of it. */
export class MessageLog {
  id!: string;
  accountId!: string;
  channel!: Channel;
  status!: MessageStatus;
  /** As given. */
  recipient!: string;
  /** As compared. */
  normalisedRecipient!: string;
  /** The From address or the origination number. */
  sender!: string;
  senderName!: string | null;
  replyTo!: string | null;
  subject!: string | null;
  templateId!: string | null;
  provider!: string | null;
  providerMessageId!: string | null;
  /** Null for what the dashboard sent. */
  apiKeyId!: string | null;
  contactId!: string | null;
  campaignId!: string | null;
  segments!: number | null;
  encoding!: SmsEncoding | null;
  opens!: number;
  clicks!: number;
  error!: string | null;
  createdAt!: Date;
  sentAt!: Date | null;
}

/** On the timeline of one message; those of provider and visitors together. Whoever has a link can make more. */
export const MAX_VISITS_KEPT = 1_000;
