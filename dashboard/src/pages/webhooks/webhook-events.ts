import type { Schemas } from '../../api/types';
import { t } from '../../texts/text';

export type Webhook = Schemas['WebhookResponse'];
type WebhookEvent = Webhook['events'][number];

export const eventMeanings = (): Readonly<Record<WebhookEvent, string>> => ({
  'contact.unsubscribed': t('webhooks.event.contact.unsubscribed'),
  'contact.bounced': t('webhooks.event.contact.bounced'),
  'contact.complained': t('webhooks.event.contact.complained'),
  'contact.suppressed': t('webhooks.event.contact.suppressed'),
  'contact.subscribed': t('webhooks.event.contact.subscribed'),
  'contact.preferences_changed': t('webhooks.event.contact.preferences_changed'),
  'sms.inbound': t('webhooks.event.sms.inbound'),
});
