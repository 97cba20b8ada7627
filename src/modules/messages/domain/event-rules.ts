import type { EventType } from '../../../shared/event-types.js';
import type { MessageStatus } from './message-log.js';

/** The statuses that events set. Each replaces those before it; a status never moves back. */
export const STATUS_PRECEDENCE = [
  'sent',
  'failed',
  'delivered',
  'bounced',
  'complained',
] as const satisfies readonly (EventType & MessageStatus)[];

/** The position in STATUS_PRECEDENCE, from 1; 0 for statuses that any event replaces. */
export function statusRank(status: MessageStatus): number {
  // Like a failed message, a suppressed or canceled one is not submitted any more.
  const ranked = status === 'suppressed' || status === 'canceled' ? 'failed' : status;
  return STATUS_PRECEDENCE.findIndex((known) => known === ranked) + 1;
}

/** The only value of `data.bounceType` with which a bounce changes the status. */
export const HARD_BOUNCE = 'hard';
/** The value of `data.feedbackType` with which a complaint does not change the status. */
export const NOT_SPAM = 'not-spam';

/** The statuses that a bounce reported during the submission replaces. */
export const REPLACED_BY_BOUNCE: readonly MessageStatus[] = ['sent', 'delivered'];

export const VISIT_TYPES = ['opened', 'clicked'] as const satisfies readonly EventType[];

/** Opens and clicks kept on the timeline of one message; further ones are only counted. Anybody can repeat them. */
export const MAX_VISITS_KEPT = 1_000;

/**
 * A scanner clicks several links within this time before or after the message was submitted or delivered. It may click
 * before the gateway reports that it accepted the message.
 */
export const SCAN_WINDOW_SECONDS = 1;
export const SCANNED_AROUND = ['sent', 'delivered'] as const satisfies readonly EventType[];
