import type { AggregateFilter, MessageFilter } from '../../domain/message-filter.js';
import type { EmailEvent, MessageLog, StoredContent } from '../../domain/message-log.js';
import type { AttachmentEntry, GroupMember } from '../../domain/message-group.js';
import type { StatusCount } from '../../domain/message-totals.js';

/** Part of a list of messages. */
export interface MessageSlice {
  items: MessageLog[];
  /** The id before which the list continues; null at its end. */
  resumeBefore: string | null;
}

export interface MessageTimeline {
  message: MessageLog;
  events: EmailEvent[];
  /** Empty if the content was purged, and once the recipient is erased. */
  attachments: AttachmentEntry[];
  /** The other messages of its group, in the order of the request. */
  copies: GroupMember[];
}

export interface CampaignStatusCount extends StatusCount {
  campaignId: string;
}

export abstract class MessageReader {
  /** Null for a message of another account or, if a key is given, of another key. */
  abstract find(accountId: string, id: string, apiKeyId: string | null): Promise<MessageLog | null>;

  /** Like `find`, with its events, oldest first, attachments and copies, in one consistent snapshot. */
  abstract findWithTimeline(accountId: string, id: string, apiKeyId: string | null): Promise<MessageTimeline | null>;

  /** The message that repeats the content of this one, if there is one. */
  abstract findResent(accountId: string, id: string): Promise<string | null>;

  /** Whether the message, or the one that it repeats, however often it was resent, is of a campaign. */
  abstract isOfCampaign(accountId: string, id: string): Promise<boolean>;

  /** Null if the content was purged, and for a message of another account. */
  abstract content(accountId: string, messageId: string): Promise<StoredContent | null>;

  /**
   * Newest first, at most `limit`, only those before `beforeId` if it is given. A slice may be shorter than `limit`,
   * even empty, although the list continues: the search stops after a number of messages, or seconds.
   */
  abstract list(
    accountId: string,
    filter: MessageFilter,
    beforeId: string | null,
    limit: number,
  ): Promise<MessageSlice>;

  /** Counts by status in one consistent snapshot; a status without messages may be missing. */
  abstract count(accountId: string, filter: AggregateFilter): Promise<StatusCount[]>;

  /** Like `count`, for all messages of each of the campaigns. */
  abstract countByCampaign(accountId: string, campaignIds: readonly string[]): Promise<CampaignStatusCount[]>;
}
