/** The event types of the public API, and `delayed` and `failed`, which appear on the timeline only. */
export const EVENT_TYPES = [
  'sent',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'delayed',
  'failed',
] as const;
/** The type of an event on the timeline of a message. */
export type EventType = (typeof EVENT_TYPES)[number];
