import type { EventType } from '../../../shared/event-types.js';

/** One fact on the timeline of a message. */
export class EmailEvent {
  messageId!: string;
  id!: string;
  type!: EventType;
  occurredAt!: Date;
  recipient!: string | null;
  data!: Record<string, unknown>;
}
