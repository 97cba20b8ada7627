import { normalisePhone } from '../../shared/phone-number.js';
import { storable } from '../events/fields.js';
import { requestIn, type SmsReply, type SmsRequest } from '../events/sms-reply.js';

/** Whether the post concerns WhatsApp or another channel, whose addresses begin with its name. */
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
    request: requestOfPost(form, body),
  };
}

/**
 * The request of a post. A messaging service may have words of its own: if they disagree with the word of the text,
 * STOP counts.
 */
function requestOfPost(form: URLSearchParams, body: string): SmsRequest | null {
  const [word, type] = [requestIn(body), form.get('OptOutType')];
  if (word === 'stop' || type === 'STOP') return 'stop';
  return type === 'START' ? 'start' : word;
}
