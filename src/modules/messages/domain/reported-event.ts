import type { Channel } from '../../../shared/channel.js';
import type { EventType } from '../../../shared/event-types.js';

/** How a report names a message. */
export interface MessageReference {
  accountId: string;
  /** What kind of message the report is about. */
  channel: Channel;
  /** Our own id of the message, where the report names it. */
  messageId: string | null;
  /** The provider's id of the message, which counts where there is no message with the other id. */
  providerMessageId: string | null;
}

/** A fact about a message as a provider, or a link in the message, reports it. */
export interface ReportedEvent extends MessageReference {
  /** The same in every report of the event, so that repeats are recognised; see `eventId`. */
  key: string;
  type: EventType;
  occurredAt: Date;
  recipient: string | null;
  data: Record<string, unknown>;
}

/** What became of a report. */
export interface RecordedEvent {
  /**
   * `known`: reported before. `unmatched`: there is no such message. `foreign`: it is another account's, or of another
   * channel.
   */
  outcome: 'recorded' | 'known' | 'unmatched' | 'foreign';
  /** The message it belongs to, if it does to one. */
  message: ReportedMessage | null;
}

/** What a reference leads to. */
export interface FoundMessage {
  /** As of events. */
  outcome: 'found' | 'unmatched' | 'foreign';
  message: ReportedMessage | null;
}

export interface ReportedMessage {
  id: string;
  /** As compared. */
  recipient: string;
  contactId: string | null;
  campaignId: string | null;
}
