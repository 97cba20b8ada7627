import { type Fields, fieldsOf, omitNullish, textOf, timeOf } from '../events/fields.js';
import { type ProviderEvent, unknownEvent } from '../events/provider-event.js';

/** Whether an entry looks like Amazon SNS's log of an SMS delivery. */
export const isSmsReceipt = (entry: Fields): boolean => 'notification' in entry || 'delivery' in entry;

/**
 * Returns null if it names no message. A message has one receipt, so the status identifies it, and not the time:
 * https://docs.aws.amazon.com/sns/latest/dg/sms_stats_cloudwatch.html
 */
export function parseSmsReceipt(log: Fields): ProviderEvent | null {
  const { messageId, timestamp } = fieldsOf(log.notification);
  const { destination, ...delivery } = fieldsOf(log.delivery);
  const providerMessageId = textOf(messageId);
  if (providerMessageId === null) return null;
  const reference = {
    messageId: null,
    providerMessageId,
    occurredAt: timeOf(timestamp),
    recipient: textOf(destination),
  };
  const status = textOf(log.status);
  if (status !== 'SUCCESS' && status !== 'FAILURE') return unknownEvent(status, log, reference);
  const result = status === 'SUCCESS' ? DELIVERED : failure(textOf(delivery.providerResponse) ?? '');
  return {
    ...reference,
    type: result.type,
    identity: ['receipt', providerMessageId, status],
    data: omitNullish({ ...delivery, ...result.data }),
  };
}

interface Result {
  type: ProviderEvent['type'];
  data: Fields;
}

const DELIVERED: Result = { type: 'delivered', data: {} };

/** Classified by the wording of the log. An unknown wording fails only this message and suppresses nobody. */
function failure(response: string): Result {
  if (/\bopted out\b/i.test(response))
    return { type: 'failed', data: { reason: 'opted_out', providerSuppression: 'sms_opt_out' } };
  if (/\binvalid phone number\b|\bphone number is invalid\b/i.test(response))
    return { type: 'bounced', data: { reason: 'invalid_number', bounceType: 'hard' } };
  return { type: 'failed', data: { reason: 'undelivered' } };
}
