import type { EmailEvent } from '../../domain/email-event.js';
import type { AggregateFilter, MessageFilter } from '../../domain/message-filter.js';
import type { MessageContent } from '../../domain/message-content.js';
import type { MessageLog } from '../../domain/message-log.js';
import type { StatusCount } from '../../domain/message-totals.js';

/** Messages of a list from some place on. */
export interface MessageSlice {
  items: MessageLog[];
  /** The id before which the list goes on; null where it has ended. */
  resumeBefore: string | null;
}

export interface MessageTimeline {
  message: MessageLog;
  events: EmailEvent[];
}

export abstract class MessageReader {
  /** Null for a message of another account and, where a key is given, of another key. */
  abstract find(accountId: string, id: string, apiKeyId: string | null): Promise<MessageLog | null>;

  /** The same with its events, oldest first, all as of one moment. */
  abstract findWithTimeline(accountId: string, id: string, apiKeyId: string | null): Promise<MessageTimeline | null>;

  /** Null where it is no longer kept, and for a message of another account. */
  abstract content(accountId: string, messageId: string): Promise<MessageContent | null>;

  /**
   * Newest first, at most `limit`, those before the id if there is one. A slice may be shorter than `limit`, even empty, although the
   * list goes on: where much had to be read to find little.
   */
  abstract list(
    accountId: string,
    filter: MessageFilter,
    beforeId: string | null,
    limit: number,
  ): Promise<MessageSlice>;

  /** Counts by status, as of one moment; a status without messages may be missing. */
  abstract count(accountId: string, filter: AggregateFilter): Promise<StatusCount[]>;
}
