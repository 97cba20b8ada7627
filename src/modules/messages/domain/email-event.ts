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
export type EventType = (typeof EVENT_TYPES)[number];

/** One fact on the timeline of a message. */
export class EmailEvent {
  messageId!: string;
  id!: string;
  type!: EventType;
  occurredAt!: Date;
  recipient!: string | null;
  data!: Record<string, unknown>;
}
