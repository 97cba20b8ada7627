/** The contact of an event. Each field is null if it is not known. */
interface ContactData {
  contactId: string | null;
  firstName: string | null;
  lastName: string | null;
  campaignId: string | null;
}

type Source = 'one_click' | 'form' | 'provider' | 'api' | 'dashboard' | 'import' | 'sms_sync';

/** The `data` of each event; docs/schemas/webhooks has a JSON Schema of each. Fields may be added at any time. */
export interface WebhookData {
  'contact.unsubscribed': ContactData & { email: string; source: Source };
  'contact.bounced': ContactData & {
    email: string;
    messageLogId: string | null;
    bounceType: 'hard';
    diagnosticCode: string | null;
  };
  'contact.complained': ContactData & { email: string; messageLogId: string | null; feedbackType: string | null };
  /** Has `email` or `phone`, depending on `channel`. */
  'contact.suppressed': ContactData & {
    email?: string;
    phone?: string;
    channel: 'email' | 'sms';
    reason: 'unsubscribed' | 'bounced' | 'complained' | 'manual' | 'sms_opt_out';
    source: Source;
  };
  /** A sign-up by a form was confirmed. */
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
    /** The last message that was sent to the number. */
    previousMessageLogId: string | null;
    contactId: string | null;
    /** ISO 8601, UTC. */
    receivedAt: string;
  };
  'webhook.test': { endpointId: string };
}

/** The body of a request to a webhook endpoint. */
export type Webhook = {
  [Event in keyof WebhookData]: {
    event: Event;
    /** ISO 8601, UTC. */
    occurredAt: string;
    accountId: string;
    data: WebhookData[Event];
  };
}[keyof WebhookData];
