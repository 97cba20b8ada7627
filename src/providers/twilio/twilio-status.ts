import { omitNullish } from '../events/fields.js';
import { type ProviderEvent, unknownEvent } from '../events/provider-event.js';
import { isNoSuchNumber, OPTED_OUT } from './twilio-codes.js';

/** Statuses without a result yet. */
const PENDING = ['accepted', 'scheduled', 'queued', 'sending'];
const FAILED = ['undelivered', 'failed', 'canceled'];

/**
 * Parses a status callback; null for anything else, and for a status that says nothing new. A message has each status
 * once, and the callback has no time:
 * https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
 */
export function parseStatus(form: URLSearchParams, messageId: string | null): ProviderEvent | null {
  const status = form.get('MessageStatus');
  const providerMessageId = form.get('MessageSid');
  if (!status || !providerMessageId || PENDING.includes(status)) return null;
  const reference = { messageId, providerMessageId, occurredAt: null, recipient: form.get('To') };
  const result = resultOf(status, form);
  if (!result) return unknownEvent(status, Object.fromEntries(form), reference);
  return { ...reference, ...result, identity: ['status', providerMessageId, status] };
}

type Result = Pick<ProviderEvent, 'type' | 'data'>;

function resultOf(status: string, form: URLSearchParams): Result | null {
  if (status === 'sent' || status === 'delivered') return { type: status, data: {} };
  return FAILED.includes(status) ? failure(form) : null;
}

/** An unknown code fails only this message and suppresses nobody. */
function failure(form: URLSearchParams): Result {
  const errorCode = form.get('ErrorCode');
  const data = omitNullish({ errorCode, errorMessage: form.get('ErrorMessage') });
  const code = Number(errorCode);
  if (code === OPTED_OUT)
    return { type: 'failed', data: { ...data, reason: 'opted_out', providerSuppression: 'sms_opt_out' } };
  if (isNoSuchNumber(code)) return { type: 'bounced', data: { ...data, reason: 'invalid_number', bounceType: 'hard' } };
  return { type: 'failed', data: { ...data, reason: 'undelivered' } };
}
