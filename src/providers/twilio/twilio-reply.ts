import { normalisePhone } from '../../shared/phone-number.js';
import { storable } from '../events/fields.js';
import { isStopWord, type SmsReply } from '../events/sms-reply.js';

/** Whether it is about WhatsApp or another channel, whose addresses begin with its name. */
export const isOtherChannel = (form: URLSearchParams): boolean => form.get('From')?.includes(':') === true;

/**
 * Parses a message to a number of the account; null for anything else. Twilio does not say which message it answers:
 * https://www.twilio.com/docs/messaging/guides/webhook-request
 */
export function parseTwilioReply(form: URLSearchParams): SmsReply | null {
  const textOf = (name: string) => storable(form.get(name) ?? '') as string;
  const [from, to, providerMessageId, body] = ['From', 'To', 'MessageSid', 'Body'].map(textOf) as [
    string,
    string,
    string,
    string,
  ];
  if (from === '' || to === '' || providerMessageId === '') return null;
  return {
    from: normalisePhone(from) ?? from,
    to: normalisePhone(to) ?? to,
    body,
    providerMessageId,
    previousProviderMessageId: null,
    isStop: isStopWord(body) || form.get('OptOutType') === 'STOP', // a stop word of the messaging service
  };
}
