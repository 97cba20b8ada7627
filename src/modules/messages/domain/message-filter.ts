import type { Channel } from '../../../shared/channel.js';
import type { MessageStatus } from './message-log.js';

/** Selects messages of an account. Null means no restriction. */
export interface MessageFilter {
  /** Only messages sent by this key. */
  apiKeyId: string | null;
  channel: Channel | null;
  /** Only messages with this tag. */
  tag: string | null;
  /** Only messages with this topic. */
  topicId: string | null;
  /** Only messages that wait for their scheduled time. */
  scheduled: boolean;
  /** In the order of MESSAGE_STATUSES, each once. */
  statuses: readonly MessageStatus[] | null;
  /** Part of the recipient, sender or subject, case-insensitive. */
  search: string | null;
  /** Accepted at this time or later. */
  from: Date | null;
  /** Accepted before this time. */
  before: Date | null;
}

export interface AggregateFilter extends MessageFilter {
  /** The whole subject, case-sensitive. */
  subject: string | null;
  campaignId: string | null;
}
