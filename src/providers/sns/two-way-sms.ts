import { normalisePhone } from '../../shared/phone-number.js';
import { type Fields, storable, textOf } from '../events/fields.js';
import { requestIn, type SmsReply } from '../events/sms-reply.js';

/**
 * Parses the payload of a two-way SMS; null for anything else:
 * https://docs.aws.amazon.com/sms-voice/latest/userguide/two-way-sms-payload.html
 */
export function parseSmsReply(reported: Fields): SmsReply | null {
  const fields = storable(reported) as Fields;
  const from = textOf(fields.originationNumber);
  const to = textOf(fields.destinationNumber);
  const providerMessageId = textOf(fields.inboundMessageId);
  if (from === null || to === null || providerMessageId === null) return null;
  const body = textOf(fields.messageBody) ?? '';
  return {
    from: normalisePhone(from) ?? from,
    to: normalisePhone(to) ?? to,
    body,
    providerMessageId,
    previousProviderMessageId: textOf(fields.previousPublishedMessageId),
    request: requestIn(body.trim() === '' ? (textOf(fields.messageKeyword) ?? '') : body),
  };
}
