import type { Channel } from './channel.js';

/** The contact with the address of the event; null if there is none. */
interface ContactFacts {
  contactId: string | null;
  firstName: string | null;
  lastName: string | null;
  campaignId: string | null;
}

/** Event type → data. The types are those of the outbound webhooks. */
export interface EventData {
  /** Contact id and names are empty strings, not null, if there are none. */
  'contact.unsubscribed': {
    email: string;
    contactId: string;
    firstName: string;
    lastName: string;
    campaignId: string | null;
    source: string;
  };
  'contact.bounced': ContactFacts & {
    email: string;
    messageLogId: string | null;
    bounceType: 'hard';
    diagnosticCode: string | null;
  };
  'contact.complained': ContactFacts & { email: string; messageLogId: string | null; feedbackType: string | null };
  'contact.suppressed': ContactFacts & {
    email?: string;
    phone?: string;
    channel: Channel;
    reason: string;
    source: string;
  };
  /** A sign-up was confirmed. Names are empty strings, not null, if there are none. */
  'contact.subscribed': {
    email: string;
    contactId: string;
    firstName: string;
    lastName: string;
    formId: string;
    listIds: string[];
    topicIds: string[];
    consentIds: string[];
  };
  /** Somebody has subscribed to topics or unsubscribed from them, by a link in a mail. */
  'contact.preferences_changed': {
    email: string;
    contactId: string | null;
    /** The topics that have changed; empty if only the consent to tracking has. */
    topics: { topicId: string; subscribed: boolean }[];
    source: 'preferences' | 'one_click';
  };
  'sms.inbound': {
    from: string;
    to: string;
    body: string;
    providerMessageId: string | null;
    previousMessageLogId: string | null;
    contactId: string | null;
    receivedAt: string;
  };
}

export type EventName = keyof EventData;

export type DomainEvent = {
  [Name in EventName]: { type: Name; accountId: string; occurredAt: Date; data: EventData[Name] };
}[EventName];
