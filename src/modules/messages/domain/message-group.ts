import type { NewMessage } from './delivery.js';
import { ERASED_RECIPIENT, type MessageRole, type MessageStatus } from './message-log.js';

/** What lists and details show of an attachment. */
export interface AttachmentEntry {
  /** From 1. */
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
  role: Exclude<MessageRole, 'to'>;
  /** Takes the place of the group's `linkToken` in the bodies; null leaves them as they are. */
  linkToken: string | null;
}

/** A message with copies, attachments, headers, tags or metadata, accepted as a whole or not at all. */
export interface NewGroup {
  /** The message to the first recipient. Its id, the lowest of the group, is that of the group. */
  message: NewMessage;
  /** In the order of their ids, which were created in the same millisecond as that of the message. */
  copies: readonly NewCopy[];
  /** Unique text in the message's bodies: the end of its unsubscribe link. Null if the bodies have none. */
  linkToken: string | null;
  attachments: readonly NewAttachment[];
  headers: Readonly<Record<string, string>> | null;
  /** Not empty. */
  tags: readonly string[] | null;
  metadata: Readonly<Record<string, string>> | null;
  /** The message whose content is repeated. */
  resentFrom?: string;
}

/** A message without copies, attachments, headers, tags and metadata. */
export const plainGroup = (message: NewMessage): NewGroup => ({
  message,
  ...{ copies: [], linkToken: null, attachments: [], headers: null, tags: null, metadata: null },
});

/** Whether the group is a single message with nothing but its content. */
export const isPlain = ({ copies, attachments, headers, tags, metadata, resentFrom }: NewGroup): boolean =>
  copies.length === 0 && attachments.length === 0 && !headers && !tags && !metadata && resentFrom === undefined;

/** A stored message of a group. */
export interface GroupMember {
  id: string;
  role: MessageRole;
  recipient: string;
  status: MessageStatus;
}

/** The recipients whom all messages of the group show. */
export function visibleRecipients(members: readonly GroupMember[]): { to: string[]; cc: string[] } {
  const inRole = (wanted: GroupMember['role']) =>
    members
      .filter(({ role, recipient }) => role === wanted && recipient !== ERASED_RECIPIENT)
      .map(({ recipient }) => recipient);
  return { to: inRole('to'), cc: inRole('cc') };
}
