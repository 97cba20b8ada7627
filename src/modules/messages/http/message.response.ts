import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import type { Caller } from '../../../platform/http/access/caller.js';
import { type Channel, CHANNELS, SMS_ENCODINGS, type SmsEncoding } from '../../../shared/channel.js';
import { MESSAGE_ROLES, type MessageRole } from '../../../shared/mail-recipients.js';
import { EVENT_TYPES, type EventType } from '../../../shared/event-types.js';
import type { RecipientContact } from '../application/ports/recipient-contacts.js';
import type { MessageDetail, MessagePage } from '../application/read-messages.service.js';
import type { CampaignReference } from '../domain/campaign-content.js';
import { hideRelay, hideRelayIn } from '../domain/hide-relay.js';
import type { AttachmentEntry, GroupMember } from '../domain/message-group.js';
import {
  type EmailEvent,
  MESSAGE_STATUSES,
  type MessageContent,
  type MessageLog,
  type MessageStatus,
} from '../domain/message-log.js';
import { isTest } from './account-of-caller.js';

/** The relay's host names, hidden from the caller together with IP addresses; null hides nothing. */
export type HiddenHosts = readonly string[] | null;

export class EmailEventResponse {
  id!: string;
  messageLogId!: string;

  @ApiProperty({ enum: EVENT_TYPES })
  type!: EventType;

  occurredAt!: Date;
  recipient!: string | null;

  /**
   * Details from the provider, for example `bounceType`, `diagnosticCode`, `url`, `userAgent`, `smtpResponse`.
   * @example { "smtpResponse": "250 2.0.0 Ok: queued" }
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Record<string, unknown>;

  static from(event: EmailEvent, hidden: HiddenHosts): EmailEventResponse {
    return {
      id: event.id,
      messageLogId: event.messageId,
      type: event.type,
      occurredAt: event.occurredAt,
      recipient: event.recipient,
      data: hidden ? hideRelayIn(event.data, hidden) : event.data,
    };
  }
}

/** The campaign of a message. */
export class MessageCampaignResponse {
  id!: string;
  /** @example "November newsletter" */
  name!: string;

  static from({ id, name }: CampaignReference): MessageCampaignResponse {
    return { id, name };
  }
}

export class MessageResponse {
  id!: string;

  /**
   * Whether a test key sent it: then everything about it is simulated, and nobody received it.
   * @example false
   */
  test!: boolean;

  @ApiProperty({ enum: CHANNELS })
  channel!: Channel;

  @ApiProperty({ enum: MESSAGE_STATUSES })
  status!: MessageStatus;

  /** @example "ada@example.com" */
  to!: string;
  /** @example "hello@example.com" */
  from!: string;
  fromName!: string | null;
  replyTo!: string | null;
  subject!: string | null;
  templateId!: string | null;

  /** The provider's identifier; null until it accepts the message. */
  providerMessageId!: string | null;
  provider!: string | null;

  /** The key that sent the message; null if it was sent from the dashboard. */
  apiKeyId!: string | null;
  contactId!: string | null;
  campaignId!: string | null;

  /** Set for SMS only. */
  segments!: number | null;

  @ApiProperty({ enum: SMS_ENCODINGS, nullable: true })
  encoding!: SmsEncoding | null;
  opens!: number;
  clicks!: number;

  /** Why the last attempt failed. API keys see `[relay]` instead of the host names and IP addresses of relays. */
  error!: string | null;
  createdAt!: Date;
  sentAt!: Date | null;

  @ApiProperty({ enum: MESSAGE_ROLES })
  role!: MessageRole;

  /** The id of the message to the first recipient, which its copies share; null for a message without copies. */
  groupId!: string | null;
  /** @example ["invoice"] */
  tags!: string[];

  /**
   * What the caller stored with the message.
   * @example { "order": "4711" }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;

  /** When the message is to be submitted; null: as soon as possible. It is `queued` until then. */
  scheduledAt!: Date | null;

  /** The message whose content this one repeats. */
  resentFrom!: string | null;

  /** The topic that it was sent with. */
  topicId!: string | null;

  /** For sessions only: the campaign of the message, if it has one. */
  @ApiPropertyOptional({ type: MessageCampaignResponse, nullable: true })
  campaign?: MessageCampaignResponse | null;

  static from(message: MessageLog, caller: Caller, hidden: HiddenHosts): MessageResponse {
    return {
      id: message.id,
      test: isTest(caller, message),
      channel: message.channel,
      status: message.status,
      to: message.recipient,
      from: message.sender,
      fromName: message.senderName,
      replyTo: message.replyTo,
      subject: message.subject,
      templateId: message.templateId,
      providerMessageId: message.providerMessageId,
      provider: message.provider,
      apiKeyId: message.apiKeyId,
      contactId: message.contactId,
      campaignId: message.campaignId,
      segments: message.segments,
      encoding: message.encoding,
      opens: message.opens,
      clicks: message.clicks,
      error: message.error !== null && hidden ? hideRelay(message.error, hidden) : message.error,
      createdAt: message.createdAt,
      sentAt: message.sentAt,
      role: message.role ?? 'to',
      groupId: message.groupId,
      tags: message.tags ?? [],
      metadata: message.metadata ?? {},
      scheduledAt: message.scheduledAt,
      resentFrom: message.resentFrom,
      topicId: message.topicId,
    };
  }
}

/** The current state of a contact. */
export class RecipientContactResponse {
  id!: string;
  /** @example "ada@example.com" */
  email!: string;
  firstName!: string | null;
  lastName!: string | null;
  company!: string | null;
  /** @example ["reader"] */
  tags!: string[];
  /** @example "active" */
  status!: string;

  static from(contact: RecipientContact): RecipientContactResponse {
    const { id, email, firstName, lastName, company, tags, status } = contact;
    return { id, email, firstName, lastName, company, tags, status };
  }
}

export class AttachmentResponse {
  /** From 1: identifies the attachment within the message. */
  @ApiProperty({ type: 'integer' })
  number!: number;

  /** @example "invoice.pdf" */
  filename!: string;
  /** @example "application/pdf" */
  contentType!: string;
  contentId!: string | null;

  /** In bytes. */
  @ApiProperty({ type: 'integer' })
  size!: number;

  static from({ number, filename, contentType, contentId, size }: AttachmentEntry): AttachmentResponse {
    return { number, filename, contentType, contentId, size };
  }
}

/** Another message of the group. */
export class MessageCopyResponse {
  messageLogId!: string;
  /** @example "grace@example.com" */
  email!: string;

  @ApiProperty({ enum: MESSAGE_ROLES })
  role!: MessageRole;

  @ApiProperty({ enum: MESSAGE_STATUSES })
  status!: MessageStatus;

  static from({ id, recipient, role, status }: GroupMember): MessageCopyResponse {
    return { messageLogId: id, email: recipient, role, status };
  }
}

export class MessageDetailResponse extends MessageResponse {
  /** Empty once the content was purged. */
  attachments!: AttachmentResponse[];

  /** The other messages of the group, in the order of the request; only if there are some. */
  @ApiPropertyOptional({ type: [MessageCopyResponse] })
  copies?: MessageCopyResponse[];

  /** The timeline, oldest first. */
  events!: EmailEventResponse[];

  /** For sessions only: the recipient's contact at acceptance; null if there was none or it was deleted. */
  @ApiPropertyOptional({ type: RecipientContactResponse, nullable: true })
  contact?: RecipientContactResponse | null;

  static fromDetail(
    { message, events, contact, campaign, attachments, copies }: MessageDetail,
    caller: Caller,
    hidden: HiddenHosts,
  ): MessageDetailResponse {
    return {
      ...MessageResponse.from(message, caller, hidden),
      attachments: attachments.map((attachment) => AttachmentResponse.from(attachment)),
      ...(copies.length > 0 ? { copies: copies.map((copy) => MessageCopyResponse.from(copy)) } : {}),
      events: events.map((event) => EmailEventResponse.from(event, hidden)),
      ...(caller.kind === 'session'
        ? {
            contact: contact && RecipientContactResponse.from(contact),
            campaign: campaign && MessageCampaignResponse.from(campaign),
          }
        : {}),
    };
  }
}

export class MessagePageResponse {
  items!: MessageResponse[];

  /** The `cursor` of the next page; null on the last page. */
  nextCursor!: string | null;

  static from(page: MessagePage, caller: Caller, hidden: HiddenHosts): MessagePageResponse {
    const campaignOf = ({ campaignId }: MessageLog) => {
      const campaign = campaignId === null ? undefined : page.campaigns.get(campaignId);
      return campaign ? MessageCampaignResponse.from(campaign) : null;
    };
    const items = page.items.map((message) => ({
      ...MessageResponse.from(message, caller, hidden),
      ...(caller.kind === 'session' ? { campaign: campaignOf(message) } : {}),
    }));
    return { items, nextCursor: page.nextCursor };
  }
}

export class MessageContentResponse {
  /** False if the content was purged; then all other fields are null. */
  isKept!: boolean;
  html!: string | null;
  text!: string | null;

  /** The URL in the List-Unsubscribe header. */
  unsubscribeUrl!: string | null;

  /**
   * The headers that the caller added; only if there are some.
   * @example { "X-Order": "4711" }
   */
  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' } })
  headers?: Record<string, string>;

  static from(content: MessageContent | null): MessageContentResponse {
    const { html, text, unsubscribeUrl, headers } = content ?? { html: null, text: null, unsubscribeUrl: null };
    return { isKept: content !== null, html, text, unsubscribeUrl, ...(headers ? { headers } : {}) };
  }
}
