import type { Schemas } from '../../api/types';

export type Webhook = Schemas['WebhookResponse'];
type WebhookEvent = Webhook['events'][number];

/** When each event happens. */
export const WEBHOOK_EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'contact.unsubscribed': 'Somebody unsubscribed, by link or one click, or was imported as such',
  'contact.bounced': 'Mail to an address came back for good',
  'contact.complained': 'A recipient reported mail as spam',
  'contact.suppressed': 'An address or number was suppressed by hand, by import, or opted out of SMS',
  'sms.inbound': 'Somebody answered an SMS',
};
