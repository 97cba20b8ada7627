import type { EventType } from './email-event.js';

/** A fact about a message as a provider, or a link in the message, reports it. */
export interface ReportedEvent {
  accountId: string;
  /**
   * Of the fact: the same for every report of it, so that repeats are known. 25 characters like all ids; see `eventId`.
   */
  id: string;
  /** Our own id of the message, where the report names it. */
  messageId: string | null;
  /** The provider's id of the message, where the report names only that. */
  providerMessageId: string | null;
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
