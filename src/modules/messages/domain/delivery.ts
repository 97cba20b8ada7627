import type { DeliveryLane } from '../../../shared/channel.js';
import type { Lease } from '../../../concurrency/lease.js';
import type { ACCEPTED_FIELDS, CLAIMED_FIELDS, MessageContent, MessageLog, StoredContent } from './message-log.js';

type OptionalField = 'segments' | 'encoding' | 'scheduledAt' | 'topicId';

/** A validated and rendered message to be accepted. */
export type NewMessage = Omit<Pick<MessageLog, (typeof ACCEPTED_FIELDS)[number]>, OptionalField> &
  Partial<Pick<MessageLog, OptionalField>> &
  MessageContent;

/** A message that has no final status yet. */
export interface PendingDelivery {
  messageId: string;
  accountId: string;
  lane: DeliveryLane;
}

export type MessageTexts = Pick<MessageContent, 'html' | 'text'>;

/** A claim returns the texts of messages up to this size. Longer ones are held only with a share of the memory. */
export const MAX_CLAIMED_BYTES = 65_536;

/** A message leased to one worker, which alone may deliver it until the lease ends. */
export type ClaimedMessage = Pick<MessageLog, (typeof CLAIMED_FIELDS)[number]> &
  StoredContent & {
    /** The size of `html` and `text` if they are too large to come with the claim, which has null then; otherwise 0. */
    unreadBytes: number;
    /** Whether the group has files: attachments, or the mail as submitted. Null, like false, if there are none. */
    hasAttachments: boolean | null;
    /** For a message of a campaign, `createdAt` is when its audience was written. */
    acceptedAt: Date;
    lease: Lease;
    claimId: string;
    /** Counts from 1. */
    attempt: number;
  };

/** The end of an attempt. */
export type DeliveryOutcome =
  | { kind: 'sent'; provider: string; providerMessageId: string; response: string }
  | { kind: 'retry'; error: string; nextAttemptAt: Date; outcomeUnknown: boolean }
  /** Refused for a reason unrelated to the message: the attempt does not count. */
  | { kind: 'postponed'; error: string; nextAttemptAt: Date }
  | { kind: 'failed'; error: string }
  /** The provider reports that the address does not exist. */
  | { kind: 'bounced'; error: string }
  /** The provider reports that the recipient has opted out. */
  | { kind: 'opted_out'; error: string }
  /** Not started, like the following ones: the attempt does not count. */
  | { kind: 'suppressed'; error: string }
  /** Not started: another worker may take it at that time, or at once. */
  | { kind: 'released'; nextAttemptAt?: Date }
  /** Not started: the message is scheduled for that time, the end of quiet hours. */
  | { kind: 'rescheduled'; scheduledAt: Date }
  /** Not started: its campaign is paused. It is due again soon after the campaign is resumed or canceled. */
  | { kind: 'held' }
  /** Not started: its campaign is canceled. */
  | { kind: 'canceled' };
