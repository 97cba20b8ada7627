import type { Channel } from '../../../shared/channel.js';
import type { MessageStatus } from './message-log.js';

/** Which messages of an account are meant. Null does not restrict. */
export interface MessageFilter {
  /** Only what this key sent. */
  apiKeyId: string | null;
  channel: Channel | null;
  /** In the order of the vocabulary, each once. */
  statuses: readonly MessageStatus[] | null;
  /** Part of recipient, sender or subject, in any case. */
  search: string | null;
  /** Accepted at or after. */
  from: Date | null;
  /** Accepted before. */
  before: Date | null;
}

export interface AggregateFilter extends MessageFilter {
  /** The whole subject, in exactly this form. */
  subject: string | null;
  campaignId: string | null;
}
