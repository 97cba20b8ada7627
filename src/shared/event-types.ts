interface EventKind {
  /** Whether providers report it; otherwise only the service records it. */
  isReported: boolean;
  /** The status that a report gives its message, unless that has one of higher precedence; null: none. */
  status: 'sent' | 'failed' | 'delivered' | 'bounced' | 'complained' | null;
  /** A field of the data, without whose value the report gives no status. */
  onlyWith?: readonly [field: string, value: string];
  /** A field of the data, with whose value the report gives no status. */
  notWith?: readonly [field: string, value: string];
}

/** The kinds of events on the timeline of a message. `STATUS_RANKS` has the precedence of the statuses. */
export const EVENT_KINDS = {
  sent: { isReported: true, status: 'sent' },
  delivered: { isReported: true, status: 'delivered' },
  bounced: { isReported: true, status: 'bounced', onlyWith: ['bounceType', 'hard'] },
  complained: { isReported: true, status: 'complained', notWith: ['feedbackType', 'not-spam'] },
  opened: { isReported: true, status: null },
  clicked: { isReported: true, status: null },
  delayed: { isReported: true, status: null },
  failed: { isReported: true, status: 'failed' },
  canceled: { isReported: false, status: null },
} as const satisfies Record<string, EventKind>;

/** The type of an event on the timeline of a message. */
export type EventType = keyof typeof EVENT_KINDS;

export const KINDS_BY_TYPE = Object.entries<EventKind>(EVENT_KINDS) as [EventType, EventKind][];

/** The types of events on the timeline of a message. */
export const EVENT_TYPES = KINDS_BY_TYPE.map(([type]) => type);

/** The types of events that providers report. */
export const PROVIDER_EVENT_TYPES = KINDS_BY_TYPE.flatMap(([type, { isReported }]) => (isReported ? [type] : []));
