import { type Fields, fieldsOf, present, textOf, timeOf } from './fields.js';
import { type ProviderEvent, unknownEvent } from './provider-event.js';

/** Whether an entry is of the form in which Amazon SNS logs what became of an SMS. */
export const isSmsReceipt = (entry: Fields): boolean => 'notification' in entry || 'delivery' in entry;

/**
 * Null where it names no message. There is one receipt for a message, so whatever time it tells it is known by what it says:
 * https://docs.aws.amazon.com/sns/latest/dg/sms_stats_cloudwatch.html
 */
export function parseSmsReceipt(log: Fields): ProviderEvent | null {
  const { messageId, timestamp } = fieldsOf(log.notification);
  const { destination, ...delivery } = fieldsOf(log.delivery);
  const providerMessageId = textOf(messageId);
  if (providerMessageId === null) return null;
  const named = { messageId: null, providerMessageId, occurredAt: timeOf(timestamp), recipient: textOf(destination) };
  const status = textOf(log.status);
  if (status !== 'SUCCESS' && status !== 'FAILURE') return unknownEvent(status, log, named);
  const result = status === 'SUCCESS' ? DELIVERED : failure(textOf(delivery.providerResponse) ?? '');
  return {
    ...named,
    type: result.type,
    knownBy: ['receipt', providerMessageId, status],
    data: present({ ...delivery, ...result.data }),
  };
}

interface Result {
  type: ProviderEvent['type'];
  data: Fields;
}

const DELIVERED: Result = { type: 'delivered', data: {} };

/** By the wording of the log; all that it does not know is a failure of this message, and no verdict on the number. */
function failure(response: string): Result {
  if (/\bopted out\b/i.test(response))
    return { type: 'failed', data: { reason: 'opted_out', providerSuppression: 'sms_opt_out' } };
  if (/\binvalid phone number\b|\bphone number is invalid\b/i.test(response))
    return { type: 'bounced', data: { reason: 'invalid_number', bounceType: 'hard' } };
  return { type: 'failed', data: { reason: 'undelivered' } };
}
