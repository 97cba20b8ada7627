import { isSame } from '../../../platform/crypto/is-same.js';
import type { ProviderPost } from '../../capabilities/reports.js';
import { EventVendor, type Verification } from '../../events/event-vendor.js';
import { readJsonObject } from '../../events/read-json.js';
import { type Fields, fieldsOf, idOf, lookUp, omitNullish, textOf, timeOf } from '../../events/fields.js';
import { type ProviderEvent, type SuppressionCause, timeKey, unknownEvent } from '../../events/provider-event.js';
import { hmacSha256, isWithin } from '../../events/signatures.js';

/** Mailgun retries a post for eight hours. */
const TOLERANCE_SECONDS = 86_400;

const TYPES: Readonly<Record<string, ProviderEvent['type']>> = {
  accepted: 'sent',
  rejected: 'failed',
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'clicked',
  complained: 'complained',
  unsubscribed: 'suppressed',
};

/** The failure reasons that mean the recipient is on a suppression list of Mailgun. */
const SUPPRESSION_CAUSES: Readonly<Record<string, SuppressionCause>> = {
  'suppress-bounce': 'bounced',
  'suppress-complaint': 'complained',
  'suppress-unsubscribe': 'unsubscribed',
};

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
export class MailgunVendor extends EventVendor {
  /**
   * The signature covers only the timestamp and a token, so a token is accepted for one post. For a domain of a
   * subaccount Mailgun adds `parent-signature`, made with the key of the primary account; either key may be configured.
   */
  verify({ body }: ProviderPost, key: string, now: Date): Verification | null {
    const { timestamp, token, ...signatures } = fieldsOf(readJsonObject(body).signature);
    const time = typeof timestamp === 'number' ? String(timestamp) : (textOf(timestamp) ?? '');
    const singleUseToken = textOf(token);
    if (singleUseToken === null || !isWithin(time, TOLERANCE_SECONDS, now)) return null;
    const expected = hmacSha256(key, time, singleUseToken).toString('hex');
    return [signatures.signature, signatures['parent-signature']].some((given) => isSame(textOf(given) ?? '', expected))
      ? { singleUseToken }
      : null;
  }

  parse(body: Buffer): ProviderEvent[] {
    return [toEvent(fieldsOf(readJsonObject(body)['event-data']))];
  }
}

function toEvent(event: Fields): ProviderEvent {
  const reportedType = textOf(event.event);
  const type = typeOf(reportedType ?? '', event);
  const occurredAt = timeOf(event.timestamp);
  const recipient = textOf(event.recipient);
  const providerMessageId = textOf(fieldsOf(fieldsOf(event.message).headers)['message-id']);
  const named = { messageId: idOf(fieldsOf(event['user-variables']).mid), providerMessageId, occurredAt, recipient };
  if (!type) return unknownEvent(reportedType, event, named);
  const eventId = textOf(event.id); // unique only within a day, which is enough on the timeline of one message
  const identity = eventId
    ? [eventId]
    : [providerMessageId ?? '', reportedType ?? '', recipient ?? '', timeKey(occurredAt)];
  return { ...named, type, identity, data: omitNullish(dataOf(type, event)) };
}

/** A permanent failure is a hard bounce only if the recipient's server refused the message. */
function typeOf(reportedType: string, { severity, reason = 'bounce' }: Fields): ProviderEvent['type'] | undefined {
  if (reportedType !== 'failed') return lookUp(TYPES, reportedType);
  if (severity === 'temporary') return 'delayed';
  return severity === 'permanent' && reason === 'bounce' ? 'bounced' : 'failed';
}

function dataOf(type: ProviderEvent['type'], event: Fields): Fields {
  const { code, message, description } = fieldsOf(event['delivery-status']);
  const { 'client-info': clientInfo, url, ip, reason } = event;
  const response = textOf(message) ?? textOf(description);
  switch (type) {
    case 'bounced':
      return { bounceType: 'hard', diagnosticCode: response, code };
    case 'failed':
      return { reason, diagnosticCode: response, code, providerSuppression: lookUp(SUPPRESSION_CAUSES, reason) };
    case 'opened':
    case 'clicked': {
      const { 'user-agent': userAgent, bot } = fieldsOf(clientInfo);
      return { url, userAgent, ip, automated: textOf(bot) === null ? undefined : true };
    }
    case 'suppressed':
      return { providerSuppression: 'unsubscribed' };
    default:
      return { smtpResponse: response, code };
  }
}
