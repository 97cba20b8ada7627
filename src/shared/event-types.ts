/** The types of events that providers report, and `delayed` and `failed`, which the service records, too. */
export const PROVIDER_EVENT_TYPES = [
  'sent',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'delayed',
  'failed',
] as const;

/** The types of events on the timeline of a message. */
export const EVENT_TYPES = [...PROVIDER_EVENT_TYPES, 'canceled'] as const;
/** The type of an event on the timeline of a message. */
export type EventType = (typeof EVENT_TYPES)[number];
