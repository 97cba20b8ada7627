import { createHash } from 'node:crypto';

import type { Channel } from '../../../shared/channel.js';
import type { EventType } from '../../../shared/event-types.js';
import type { VISIT_TYPES } from './event-rules.js';

/** Identifies the message that a report is about. */
export interface MessageReference {
  accountId: string;
  channel: Channel;
  /** Our id of the message, if the report contains it. */
  messageId: string | null;
  /** The provider's id of the message; used if `messageId` matches no message. */
  providerMessageId: string | null;
}

/** An event of a message as reported by a provider or by a link in the message. */
export interface ReportedEvent extends MessageReference {
  /** The same in every report of the event, so that repeated reports are recognised; see `eventKey`. */
  key: string;
  type: EventType;
  occurredAt: Date;
  recipient: string | null;
  data: Record<string, unknown>;
}

/** An open or a click, reported by a link that we signed for the message. */
export interface ReportedVisit {
  id: string;
  messageId: string;
  type: (typeof VISIT_TYPES)[number];
  occurredAt: Date;
  data: Record<string, unknown>;
}

/** `locked`: not recorded, because another transaction holds the message. */
export type RecordedVisit = RecordedEvent['outcome'] | 'locked';

export interface RecordedEvent {
  /**
   * `known`: reported before. `unmatched`: there is no such message. `foreign`: the message belongs to another account
   * or channel.
   */
  outcome: 'recorded' | 'known' | 'unmatched' | 'foreign';
  /** The message that the event belongs to, if there is one. */
  message: ReportedMessage | null;
}

export interface FoundMessage {
  /** `unmatched` and `foreign` as for events. */
  outcome: 'found' | 'unmatched' | 'foreign';
  message: ReportedMessage | null;
}

export interface ReportedMessage {
  id: string;
  /** As given; no longer an address once it was erased. */
  recipient: string;
  contactId: string | null;
  campaignId: string | null;
}

const LENGTH = 24;
const ALPHABET_SIZE = 36n;

/** The key of an event: a hash of the provider's identifiers. Not the id of the event on the timeline. */
export function eventKey(...identifiers: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(identifiers)).digest('hex');
  return 'c' + (BigInt(`0x${digest}`) % ALPHABET_SIZE ** BigInt(LENGTH)).toString(36).padStart(LENGTH, '0');
}
