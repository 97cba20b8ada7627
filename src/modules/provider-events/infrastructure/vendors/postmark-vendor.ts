import type { IncomingHttpHeaders } from 'node:http';

import { isSame } from '../../../../platform/crypto/is-same.js';
import { EventVendor, type Proof } from '../../application/ports/event-vendor.js';
import { readJsonObject } from '../../application/read-json.js';
import { type Fields, fieldsOf, idOf, present, textOf, timeOf } from '../../domain/fields.js';
import { type ProviderEvent, type SuppressionCause, timeKey, unknownEvent } from '../../domain/provider-event.js';

/** Of the types of a bounce: https://postmarkapp.com/developer/api/bounce-api#bounce-types */
const HARD = ['HardBounce', 'BadEmailAddress'];
const SOFT = [
  ...['Transient', 'DnsError', 'SpamNotification', 'SoftBounce', 'Unknown', 'Undeliverable', 'Blocked'],
  ...['VirusNotification', 'DMARCPolicy'],
];
const FAILED = ['SMTPApiError', 'TemplateRenderingFailed'];
/** Subject of a change that no message caused. */
const NO_MESSAGE = '00000000-0000-0000-0000-000000000000';

type Told = Pick<ProviderEvent, 'type' | 'data'>;

/** https://postmarkapp.com/developer/webhooks/webhooks-overview */
export class PostmarkVendor extends EventVendor {
  /** Postmark signs nothing: its posts carry the user and the password that stand in the webhook's URL. */
  verify(headers: IncomingHttpHeaders, _raw: Buffer, key: string): Proof | null {
    const [, encoded = ''] = /^basic +([a-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? [];
    return isSame(Buffer.from(encoded, 'base64'), Buffer.from(key)) ? { onceToken: null } : null;
  }

  parse(raw: Buffer): ProviderEvent[] {
    return [toEvent(readJsonObject(raw))];
  }
}

function toEvent(record: Fields): ProviderEvent {
  const recordType = textOf(record.RecordType);
  const told = tell(recordType ?? '', record);
  const occurredAt = timeOf(record.DeliveredAt ?? record.BouncedAt ?? record.ReceivedAt ?? record.ChangedAt);
  const messageId = ownIdOf(fieldsOf(record.Metadata));
  const theirs = textOf(record.MessageID);
  const providerMessageId = theirs === NO_MESSAGE ? null : theirs;
  const recipient = textOf(record.Email) ?? textOf(record.Recipient);
  const named = { messageId, providerMessageId, occurredAt, recipient };
  if (!told) return unknownEvent(recordType, record, named);
  const bounceId = typeof record.ID === 'number' ? String(record.ID) : null;
  const knownBy = bounceId
    ? [told.type, bounceId]
    : [recordType ?? '', theirs ?? '', recipient ?? '', textOf(record.OriginalLink) ?? '', timeKey(occurredAt)];
  return { ...named, ...told, knownBy, data: present(told.data) };
}

/** The key is part of a header's name, whose case may change on its way. */
const ownIdOf = (metadata: Fields): string | null =>
  idOf(Object.entries(metadata).find(([key]) => key.toLowerCase() === 'mid')?.[1]);

function tell(recordType: string, record: Fields): Told | null {
  const { Details: details, UserAgent: userAgent, OriginalLink: url } = record;
  const ip = fieldsOf(record.Geo).IP;
  switch (recordType) {
    case 'Delivery':
      return { type: 'delivered', data: { smtpResponse: details } };
    case 'Bounce':
      return tellBounce(textOf(record.Type) ?? '', record);
    case 'SpamComplaint':
      return { type: 'complained', data: { feedbackType: 'abuse' } };
    case 'Open':
      return { type: 'opened', data: { userAgent, ip } };
    case 'Click':
      return { type: 'clicked', data: { url, userAgent, ip } };
    case 'SubscriptionChange':
      return tellChange(record);
    default:
      return null;
  }
}

function tellBounce(
  type: string,
  { Inactive: inactive, Details: details, Description: description }: Fields,
): Told | null {
  const said = { bounceSubType: type, diagnosticCode: details ?? description };
  if (type === 'SpamComplaint') return { type: 'complained', data: { feedbackType: 'abuse', ...said } };
  if (type === 'Unsubscribe') return { type: 'suppressed', data: { providerSuppression: 'unsubscribed', ...said } };
  if (type === 'ManuallyDeactivated') return { type: 'suppressed', data: { providerSuppression: 'manual', ...said } };
  if (HARD.includes(type) || inactive === true) return { type: 'bounced', data: { bounceType: 'hard', ...said } };
  if (SOFT.includes(type)) return { type: 'bounced', data: { bounceType: 'soft', ...said } };
  return FAILED.includes(type) ? { type: 'failed', data: { reason: type, ...said } } : null;
}

const CAUSES: readonly [string, SuppressionCause][] = [
  ['HardBounce', 'bounced'],
  ['SpamComplaint', 'complained'],
];

/** A lifted suppression is not news for this service: it has a list of its own. */
function tellChange({ SuppressSending, SuppressionReason, Origin }: Fields): Told | null {
  if (SuppressSending !== true) return null;
  const cause = CAUSES.find(([reason]) => reason === SuppressionReason)?.[1];
  const providerSuppression = cause ?? (Origin === 'Recipient' ? 'unsubscribed' : 'manual');
  return { type: 'suppressed', data: { providerSuppression } };
}
