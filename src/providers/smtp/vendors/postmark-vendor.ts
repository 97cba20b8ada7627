import { isSame } from '../../../platform/crypto/is-same.js';
import type { ProviderPost } from '../../capabilities/reports.js';
import { EventVendor, type Verification } from '../../events/event-vendor.js';
import { readJsonObject } from '../../events/read-json.js';
import { type Fields, fieldsOf, idOf, omitNullish, textOf, timeOf } from '../../events/fields.js';
import { type ProviderEvent, type SuppressionCause, timeKey, unknownEvent } from '../../events/provider-event.js';

/** Bounce types: https://postmarkapp.com/developer/api/bounce-api#bounce-types */
const HARD = ['HardBounce', 'BadEmailAddress'];
const SOFT = [
  ...['Transient', 'DnsError', 'SpamNotification', 'SoftBounce', 'Unknown', 'Undeliverable', 'Blocked'],
  ...['VirusNotification', 'DMARCPolicy'],
];
const FAILED = ['SMTPApiError', 'TemplateRenderingFailed'];
/** The message id of a change that no message caused. */
const NO_MESSAGE = '00000000-0000-0000-0000-000000000000';

type Classified = Pick<ProviderEvent, 'type' | 'data'>;

/** https://postmarkapp.com/developer/webhooks/webhooks-overview */
export class PostmarkVendor extends EventVendor {
  /** Postmark does not sign: its posts carry the user and password of the webhook's URL. */
  verify({ headers }: ProviderPost, key: string): Verification | null {
    const [, encoded = ''] = /^basic +([a-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? [];
    return isSame(Buffer.from(encoded, 'base64'), Buffer.from(key)) ? { singleUseToken: null } : null;
  }

  parse(body: Buffer): ProviderEvent[] {
    return [toEvent(readJsonObject(body))];
  }
}

function toEvent(record: Fields): ProviderEvent {
  const recordType = textOf(record.RecordType);
  const classified = classify(recordType ?? '', record);
  const occurredAt = timeOf(record.DeliveredAt ?? record.BouncedAt ?? record.ReceivedAt ?? record.ChangedAt);
  const messageId = ownIdOf(fieldsOf(record.Metadata));
  const reportedId = textOf(record.MessageID);
  const providerMessageId = reportedId === NO_MESSAGE ? null : reportedId;
  const recipient = textOf(record.Email) ?? textOf(record.Recipient);
  const named = { messageId, providerMessageId, occurredAt, recipient };
  if (!classified) return unknownEvent(recordType, record, named);
  const bounceId = typeof record.ID === 'number' ? String(record.ID) : null;
  const identity = bounceId
    ? [classified.type, bounceId]
    : [recordType ?? '', reportedId ?? '', recipient ?? '', textOf(record.OriginalLink) ?? '', timeKey(occurredAt)];
  return { ...named, ...classified, identity, data: omitNullish(classified.data) };
}

/** The key is part of a header name, whose case may change in transit. */
const ownIdOf = (metadata: Fields): string | null =>
  idOf(Object.entries(metadata).find(([key]) => key.toLowerCase() === 'mid')?.[1]);

function classify(recordType: string, record: Fields): Classified | null {
  const { Details: details, UserAgent: userAgent, OriginalLink: url } = record;
  const ip = fieldsOf(record.Geo).IP;
  switch (recordType) {
    case 'Delivery':
      return { type: 'delivered', data: { smtpResponse: details } };
    case 'Bounce':
      return classifyBounce(textOf(record.Type) ?? '', record);
    case 'SpamComplaint':
      return { type: 'complained', data: { feedbackType: 'abuse' } };
    case 'Open':
      return { type: 'opened', data: { userAgent, ip } };
    case 'Click':
      return { type: 'clicked', data: { url, userAgent, ip } };
    case 'SubscriptionChange':
      return classifyChange(record);
    default:
      return null;
  }
}

function classifyBounce(
  type: string,
  { Inactive: inactive, Details: details, Description: description }: Fields,
): Classified | null {
  const diagnostics = { bounceSubType: type, diagnosticCode: details ?? description };
  if (type === 'SpamComplaint') return { type: 'complained', data: { feedbackType: 'abuse', ...diagnostics } };
  if (type === 'Unsubscribe')
    return { type: 'suppressed', data: { providerSuppression: 'unsubscribed', ...diagnostics } };
  if (type === 'ManuallyDeactivated')
    return { type: 'suppressed', data: { providerSuppression: 'manual', ...diagnostics } };
  if (HARD.includes(type) || inactive === true)
    return { type: 'bounced', data: { bounceType: 'hard', ...diagnostics } };
  if (SOFT.includes(type)) return { type: 'bounced', data: { bounceType: 'soft', ...diagnostics } };
  return FAILED.includes(type) ? { type: 'failed', data: { reason: type, ...diagnostics } } : null;
}

const CAUSES: readonly [string, SuppressionCause][] = [
  ['HardBounce', 'bounced'],
  ['SpamComplaint', 'complained'],
];

/** A lifted suppression is ignored: the service has its own suppression list. */
function classifyChange({ SuppressSending, SuppressionReason, Origin }: Fields): Classified | null {
  if (SuppressSending !== true) return null;
  const cause = CAUSES.find(([reason]) => reason === SuppressionReason)?.[1];
  const providerSuppression = cause ?? (Origin === 'Recipient' ? 'unsubscribed' : 'manual');
  return { type: 'suppressed', data: { providerSuppression } };
}
