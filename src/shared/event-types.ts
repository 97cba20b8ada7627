/** The kinds of the interface, and `delayed` and `failed` for what a provider or the service reports beyond them. */
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
/** Of what stands on the timeline of a message. */
export type EventType = (typeof EVENT_TYPES)[number];
