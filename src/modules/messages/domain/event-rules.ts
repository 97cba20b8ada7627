import { EVENT_KINDS, type EventType, KINDS_BY_TYPE } from '../../../shared/event-types.js';
import type { MessageStatus } from './message-log.js';

/**
 * Defines which status replaces which: a higher rank replaces a lower one, nothing else does. A reported event changes
 * the status only of a message that was attempted; otherwise it would end a message that was never submitted. The
 * outcome of an attempt replaces `queued`; only that of a bounce also replaces what events have set before.
 */
export const STATUS_RANKS: Readonly<Record<MessageStatus, number>> = {
  queued: 0,
  sending: 0,
  sent: 1,
  // Nothing submits these any more. Which of them came first stays.
  failed: 2,
  suppressed: 2,
  canceled: 2,
  delivered: 3,
  bounced: 4,
  complained: 5,
};

/** The statuses that reported events set, those of lower precedence first. */
export const REPORTED_STATUSES = [...new Set(KINDS_BY_TYPE.flatMap(([, { status }]) => status ?? []))].sort(
  (a, b) => STATUS_RANKS[a] - STATUS_RANKS[b],
);
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** Statuses that a message has only after an attempt. */
export const ATTEMPTED_STATUSES = ['sent', 'delivered', 'bounced', 'complained'] as const satisfies MessageStatus[];

/** The value of `data.bounceType` with which a bounce changes the status. */
export const [, HARD_BOUNCE] = EVENT_KINDS.bounced.onlyWith;

export const VISIT_TYPES = ['opened', 'clicked'] as const satisfies readonly EventType[];

/**
 * A scanner clicks several links within this time before or after the message was submitted or delivered. It may click
 * before the gateway reports that it accepted the message.
 */
export const SCAN_WINDOW_SECONDS = 1;
/** Several clicks around these events count as those of a scanner. */
export const SCANNED_EVENTS = ['sent', 'delivered'] as const satisfies readonly EventType[];
