import type { DomainEvent, EventName } from '../../../shared/events.js';

const IS_OFFERED: Record<EventName, true> = {
  'contact.unsubscribed': true,
  'contact.bounced': true,
  'contact.complained': true,
  'contact.suppressed': true,
  'sms.inbound': true,
};

/** The events that an endpoint can subscribe to. */
export const WEBHOOK_EVENTS = Object.keys(IS_OFFERED) as EventName[];

/** Sent by hand only, to try an endpoint. */
export const TEST_EVENT = 'webhook.test';

interface Told {
  type: DomainEvent['type'] | typeof TEST_EVENT;
  accountId: string;
  occurredAt: Date;
  data: object;
}

/** The body of all attempts to deliver the event, to the byte: signatures are made over it. */
export const writeBody = ({ type, occurredAt, accountId, data }: Told): string =>
  JSON.stringify({ event: type, occurredAt: occurredAt.toISOString(), accountId, data });
