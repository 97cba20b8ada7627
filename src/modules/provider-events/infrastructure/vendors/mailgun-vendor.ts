import type { IncomingHttpHeaders } from 'node:http';

import { isSame } from '../../../../platform/crypto/is-same.js';
import { EventVendor, type Proof } from '../../application/ports/event-vendor.js';
import { readJsonObject } from '../../application/read-json.js';
import { type Fields, fieldsOf, idOf, meaningOf, present, textOf, timeOf } from '../../domain/fields.js';
import { type ProviderEvent, type SuppressionCause, timeKey, unknownEvent } from '../../domain/provider-event.js';
import { hmacSha256, isWithin } from './signatures.js';

/** Mailgun repeats a post for eight hours. */
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

/** Why a delivery failed for good, where Mailgun has not even tried because it lists the recipient. */
const LISTED: Readonly<Record<string, SuppressionCause>> = {
  'suppress-bounce': 'bounced',
  'suppress-complaint': 'complained',
  'suppress-unsubscribe': 'unsubscribed',
};

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
export class MailgunVendor extends EventVendor {
  /**
   * The signature covers only the timestamp and a token, so a token is accepted once. For a domain of a subaccount
   * Mailgun adds `parent-signature`, made with the key of the primary account; either key may be configured here.
   */
  verify(_headers: IncomingHttpHeaders, raw: Buffer, key: string, now: Date): Proof | null {
    const { timestamp, token, ...signatures } = fieldsOf(readJsonObject(raw).signature);
    const time = typeof timestamp === 'number' ? String(timestamp) : (textOf(timestamp) ?? '');
    const onceToken = textOf(token);
    if (onceToken === null || !isWithin(time, TOLERANCE_SECONDS, now)) return null;
    const expected = hmacSha256(key, time, onceToken).toString('hex');
    return [signatures.signature, signatures['parent-signature']].some((given) => isSame(textOf(given) ?? '', expected))
      ? { onceToken }
      : null;
  }

  parse(raw: Buffer): ProviderEvent[] {
    return [toEvent(fieldsOf(readJsonObject(raw)['event-data']))];
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
  const eventId = textOf(event.id); // unique within a day only, which suffices on the timeline of one message
  const knownBy = eventId
    ? [eventId]
    : [providerMessageId ?? '', reportedType ?? '', recipient ?? '', timeKey(occurredAt)];
  return { ...named, type, knownBy, data: present(dataOf(type, event)) };
}

/** Of what failed for good, only what the recipient's server refused is a hard bounce. */
function typeOf(reportedType: string, { severity, reason = 'bounce' }: Fields): ProviderEvent['type'] | undefined {
  if (reportedType !== 'failed') return meaningOf(TYPES, reportedType);
  if (severity === 'temporary') return 'delayed';
  return severity === 'permanent' && reason === 'bounce' ? 'bounced' : 'failed';
}

function dataOf(type: ProviderEvent['type'], event: Fields): Fields {
  const { code, message, description } = fieldsOf(event['delivery-status']);
  const { 'client-info': clientInfo, url, ip, reason } = event;
  const said = textOf(message) ?? textOf(description);
  switch (type) {
    case 'bounced':
      return { bounceType: 'hard', diagnosticCode: said, code };
    case 'failed':
      return { reason, diagnosticCode: said, code, providerSuppression: meaningOf(LISTED, reason) };
    case 'opened':
    case 'clicked': {
      const { 'user-agent': userAgent, bot } = fieldsOf(clientInfo);
      return { url, userAgent, ip, automated: textOf(bot) === null ? undefined : true };
    }
    case 'suppressed':
      return { providerSuppression: 'unsubscribed' };
    default:
      return { smtpResponse: said, code };
  }
}
