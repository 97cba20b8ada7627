import type { DomainEvent, EventName } from '../../../shared/events.js';

const SUBSCRIBABLE: Record<EventName, true> = {
  'contact.unsubscribed': true,
  'contact.bounced': true,
  'contact.complained': true,
  'contact.suppressed': true,
  'contact.subscribed': true,
  'contact.preferences_changed': true,
  'sms.inbound': true,
};

/** The events that an endpoint can subscribe to. */
export const WEBHOOK_EVENTS = Object.keys(SUBSCRIBABLE) as EventName[];

/** Sent only on request, to test an endpoint. */
export const TEST_EVENT = 'webhook.test';

interface EventToSend {
  type: DomainEvent['type'] | typeof TEST_EVENT;
  accountId: string;
  occurredAt: Date;
  data: object;
  /** Whether it is about a message of a test key. */
  isTest?: boolean;
}

/** The exact bytes of every attempt to deliver the event: signatures are computed over them. */
export const writeBody = ({ type, occurredAt, accountId, data, isTest = false }: EventToSend): string =>
  JSON.stringify({
    event: type,
    occurredAt: occurredAt.toISOString(),
    accountId,
    data: isTest ? { ...data, test: true } : data,
  });
