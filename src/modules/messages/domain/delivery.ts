import type { Channel, SmsEncoding } from '../../../shared/channel.js';
import type { Lease } from '../../../shared/lease.js';

/** What a caller wants delivered, checked and rendered. */
export interface NewMessage {
  id: string;
  accountId: string;
  channel: Channel;
  recipient: string;
  normalisedRecipient: string;
  sender: string;
  senderName: string | null;
  replyTo: string | null;
  subject: string | null;
  templateId: string | null;
  apiKeyId: string | null;
  html: string | null;
  text: string | null;
  unsubscribeUrl: string | null;
  /** Of an SMS. */
  segments?: number;
  encoding?: SmsEncoding;
  createdAt: Date;
}

/** A message that waits to be delivered or is being delivered. */
export interface PendingDelivery {
  messageId: string;
  accountId: string;
  channel: Channel;
}

/** A message that one worker alone may deliver until its lease ends. */
export interface ClaimedMessage {
  lease: Lease;
  id: string;
  accountId: string;
  channel: Channel;
  claimId: string;
  /** From 1. */
  attempt: number;
  recipient: string;
  normalisedRecipient: string;
  sender: string;
  senderName: string | null;
  replyTo: string | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  unsubscribeUrl: string | null;
  createdAt: Date;
}

/** How an attempt ended. */
export type DeliveryOutcome =
  | { kind: 'sent'; provider: string; providerMessageId: string; response: string }
  | { kind: 'retry'; error: string; nextAttemptAt: Date; outcomeUnknown: boolean }
  /** Refused for a reason that is not the message's: the attempt does not count. */
  | { kind: 'postponed'; error: string; nextAttemptAt: Date }
  | { kind: 'failed'; error: string }
  /** The provider says that the address does not exist. */
  | { kind: 'bounced'; error: string }
  | { kind: 'suppressed'; error: string }
  /** Not begun: another worker may have it, and the attempt does not count. */
  | { kind: 'released' };
