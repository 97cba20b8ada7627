import { type DeliveryLane, laneOf } from '../../../shared/channel.js';
import type { MessageRole, VisibleRecipients } from '../../../shared/mail-recipients.js';
import type { NewMessage, PendingDelivery } from './delivery.js';
import type { IdempotencyKey } from './idempotency.js';
import { ERASED_RECIPIENT, type MessageStatus } from './message-log.js';

/** The fields of an attachment that lists and details show. */
export interface AttachmentEntry {
  /** Counts from 1. */
  number: number;
  filename: string;
  contentType: string;
  contentId: string | null;
  /** In bytes. */
  size: number;
}

interface NewAttachment extends Omit<AttachmentEntry, 'number' | 'size'> {
  bytes: Buffer;
}

/** A copy of a message to another recipient. */
export interface NewCopy extends Pick<
  NewMessage,
  'id' | 'recipient' | 'normalisedRecipient' | 'subject' | 'unsubscribeUrl'
> {
  role: MessageRole;
  /** Takes the place of the group's `linkToken` in the bodies; null leaves them as they are. */
  linkToken: string | null;
  /** Recognises this message if it is repeated without the others of its group. */
  idempotencyKey?: IdempotencyKey;
}

/**
 * A message with copies, attachments, headers, tags or metadata, or one submitted by SMTP, accepted as a whole or not
 * at all.
 */
export interface NewGroup {
  /** The message to the first recipient. Its id, the lowest of the group, is that of the group. */
  message: NewMessage;
  /** The role of the first recipient. */
  role: MessageRole;
  /** In the order of their ids, which were created in the same millisecond as that of the message. */
  copies: readonly NewCopy[];
  /** Unique text in the message's bodies: the end of its unsubscribe link. Null if the bodies have none. */
  linkToken: string | null;
  attachments: readonly NewAttachment[];
  headers: Readonly<Record<string, string>> | null;
  /** Not empty. */
  tags: readonly string[] | null;
  metadata: Readonly<Record<string, string>> | null;
  /** Null: To and Cc show the recipients in these roles. */
  visible: VisibleRecipients | null;
  /** The mail as submitted, which is sent instead of html and text, below our own headers. */
  source: Buffer | null;
  /** The message whose content is repeated. */
  resentFrom?: string;
}

/** The number of the mail as submitted among the files of a group. */
export const SOURCE_NUMBER = 0;

/** The files that the messages of a group have in common. */
export interface GroupFiles {
  /** The size of the mail as submitted; null for a mail that is composed. */
  sourceSize: number | null;
  attachments: AttachmentEntry[];
}

/** A message to a single `to` with nothing but its content. */
export const plainGroup = (message: NewMessage): NewGroup => ({
  message,
  role: 'to',
  ...{ copies: [], linkToken: null, attachments: [], headers: null, tags: null, metadata: null },
  ...{ visible: null, source: null },
});

/** Whether the group is a single message with nothing but its content. */
export function isPlain(group: NewGroup): boolean {
  const { role, copies, attachments, headers, tags, metadata, visible, source, resentFrom } = group;
  const isAlone = role === 'to' && copies.length === 0 && attachments.length === 0;
  return isAlone && !(headers ?? tags ?? metadata ?? visible ?? source ?? resentFrom);
}

/** The deliveries that begin now. A scheduled message has none before its time has come. */
export const dueDeliveries = ({ message, copies }: NewGroup): PendingDelivery[] =>
  message.scheduledAt != null
    ? []
    : [message, ...copies].map(({ id }) => ({ messageId: id, accountId: message.accountId, lane: laneOfNew(message) }));

const laneOfNew = ({ channel, topicId = null }: NewMessage): DeliveryLane =>
  laneOf({ channel, topicId, campaignId: null });

/** A stored message of a group. */
export interface GroupMember {
  id: string;
  role: MessageRole;
  recipient: string;
  status: MessageStatus;
}

/** The recipients whom all messages of the group show. */
export function visibleRecipients(members: readonly GroupMember[]): VisibleRecipients {
  const inRole = (wanted: GroupMember['role']) =>
    members
      .filter(({ role, recipient }) => role === wanted && recipient !== ERASED_RECIPIENT)
      .map(({ recipient }) => ({ email: recipient, name: '' }));
  return { to: inRole('to'), cc: inRole('cc') };
}
