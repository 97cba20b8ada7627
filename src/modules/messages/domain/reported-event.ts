import type { EventType } from '../../../shared/event-types.js';

/** How a report names a message. */
export interface MessageReference {
  accountId: string;
  /** Our own id of the message, where the report names it. */
  messageId: string | null;
  /** The provider's id of the message, where the report names only that. */
  providerMessageId: string | null;
}

/** A fact about a message as a provider, or a link in the message, reports it. */
export interface ReportedEvent extends MessageReference {
  /**
   * Of the fact: the same for every report of it, so that repeats are known. 25 characters like all ids; see `eventId`.
   */
  id: string;
  type: EventType;
  occurredAt: Date;
  recipient: string | null;
  data: Record<string, unknown>;
}

/** What became of a report. */
export interface RecordedEvent {
  /** `known`: reported before. `unmatched`: the account has no such message. */
  outcome: 'recorded' | 'known' | 'unmatched';
  /** The message it belongs to; null where unmatched. */
  message: ReportedMessage | null;
}

export interface ReportedMessage {
  id: string;
  /** As compared. */
  recipient: string;
  contactId: string | null;
  campaignId: string | null;
}
