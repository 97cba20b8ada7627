import type { AttributeValue } from '../../../shared/attributes.js';
import type { Channel, SmsEncoding } from '../../../shared/channel.js';
import type { EventType } from '../../../shared/event-types.js';
import type { MessageRole, VisibleRecipients } from '../../../shared/mail-recipients.js';

export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'canceled',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Replaces the recipient of a message who was erased. Not an address, so it matches none. */
export const ERASED_RECIPIENT = 'erased';

/** One message to one recipient, with its current status. */
export class MessageLog {
  id!: string;
  accountId!: string;
  channel!: Channel;
  status!: MessageStatus;
  /** As the caller wrote it. */
  recipient!: string;
  /** Used for comparison. */
  normalisedRecipient!: string;
  /** The From address or the origination number. */
  sender!: string;
  senderName!: string | null;
  replyTo!: string | null;
  subject!: string | null;
  templateId!: string | null;
  provider!: string | null;
  providerMessageId!: string | null;
  /** Null for messages sent from the dashboard. */
  apiKeyId!: string | null;
  contactId!: string | null;
  campaignId!: string | null;
  /** Set for SMS only, like `encoding`. */
  segments!: number | null;
  encoding!: SmsEncoding | null;
  opens!: number;
  clicks!: number;
  error!: string | null;
  createdAt!: Date;
  sentAt!: Date | null;
  /** Null for the message to a single `to`. */
  role!: MessageRole | null;
  /** The id of the first message of the group; null where the role is. */
  groupId!: string | null;
  tags!: string[] | null;
  metadata!: Readonly<Record<string, string>> | null;
  /** Not submitted before this time; null: as soon as possible. */
  scheduledAt!: Date | null;
  /** The message whose content this one repeats. */
  resentFrom!: string | null;
  topicId!: string | null;
}

const ENVELOPE_FIELDS = [
  'id',
  'accountId',
  'channel',
  'recipient',
  'normalisedRecipient',
  'sender',
  'senderName',
  'replyTo',
  'subject',
] as const;

/** The fields that are set when a message is accepted. The repository adds `status` and `contactId`. */
export const ACCEPTED_FIELDS = [
  ...ENVELOPE_FIELDS,
  'templateId',
  'apiKeyId',
  'segments',
  'encoding',
  'createdAt',
  'scheduledAt',
  'topicId',
] as const satisfies readonly (keyof MessageLog)[];

/** The fields that a worker needs to deliver a message. */
export const CLAIMED_FIELDS = [
  ...ENVELOPE_FIELDS,
  'campaignId',
  'createdAt',
  'groupId',
  'resentFrom',
  'topicId',
] as const satisfies readonly (keyof MessageLog)[];

/** The bodies of a message as it was accepted. */
export interface MessageContent {
  html: string | null;
  text: string | null;
  unsubscribeUrl: string | null;
  /** Headers that the caller added. */
  headers?: Readonly<Record<string, string>> | null;
  /** To and Cc, if they are not those of the group. */
  visible?: VisibleRecipients | null;
}

/** A message of a campaign stores no bodies, only the values that the campaign's content uses. */
export interface StoredContent extends MessageContent {
  /** Null for all other messages. */
  placeholders: Readonly<Record<string, AttributeValue>> | null;
}

/** An entry of the timeline of a message. */
export class EmailEvent {
  messageId!: string;
  id!: string;
  type!: EventType;
  occurredAt!: Date;
  recipient!: string | null;
  data!: Record<string, unknown>;
}
