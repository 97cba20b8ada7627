import type { Schemas } from '../../api/types';

export type Webhook = Schemas['WebhookResponse'];
type WebhookEvent = Webhook['events'][number];

export const WEBHOOK_EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'contact.unsubscribed': 'A contact unsubscribed by link or one click, or was imported as unsubscribed',
  'contact.bounced': 'Email to an address hard-bounced',
  'contact.complained': 'A recipient reported an email as spam',
  'contact.suppressed': 'An address or number was suppressed manually or by import, or opted out of SMS',
  'sms.inbound': 'Somebody replied to an SMS',
};
