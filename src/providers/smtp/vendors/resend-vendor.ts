import { isSame } from '../../../platform/crypto/is-same.js';
import { standardWebhooksKey } from './event-signing-key.js';
import type { ProviderPost } from '../../capabilities/reports.js';
import { EventVendor, type Verification } from '../../events/event-vendor.js';
import { readJsonObject } from '../../events/read-json.js';
import { type Fields, fieldsOf, idOf, listOf, lookUp, omitNullish, textOf, timeOf } from '../../events/fields.js';
import { bounceTypeOf, type ProviderEvent, timeKey, unknownEvent } from '../../events/provider-event.js';
import { hmacSha256, isWithin } from '../../events/signatures.js';

/**
 * Each attempt is signed again:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
const TOLERANCE_SECONDS = 300;

const TYPES: Readonly<Record<string, ProviderEvent['type']>> = {
  'email.sent': 'sent',
  'email.delivered': 'delivered',
  'email.delivery_delayed': 'delayed',
  'email.bounced': 'bounced',
  'email.complained': 'complained',
  'email.opened': 'opened',
  'email.clicked': 'clicked',
  'email.failed': 'failed',
  'email.suppressed': 'failed',
};

/** Standard Webhooks, with Resend's event types: https://resend.com/docs/dashboard/webhooks/event-types */
export class ResendVendor extends EventVendor {
  verify({ headers, body }: ProviderPost, key: string, now: Date): Verification | null {
    const secret = standardWebhooksKey(key);
    const header = (name: string) => headers[`svix-${name}`] ?? headers[`webhook-${name}`] ?? '';
    const [id, timestamp] = [header('id'), header('timestamp')];
    if (!secret || id === '' || !isWithin(timestamp, TOLERANCE_SECONDS, now)) return null;
    const expected = `v1,${hmacSha256(secret, `${id}.${timestamp}.`, body).toString('base64')}`;
    return header('signature')
      .split(' ')
      .some((signature) => isSame(signature, expected))
      ? { singleUseToken: null, reportId: id }
      : null;
  }

  parse(body: Buffer, { reportId }: Partial<Verification> = {}): ProviderEvent[] {
    return [toEvent(readJsonObject(body), reportId)];
  }
}

/** Events that happen once per message, so that the message identifies them. */
const ONCE_PER_MESSAGE: readonly (ProviderEvent['type'] | undefined)[] = [
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
];

function toEvent(event: Fields, reportId: string | undefined): ProviderEvent {
  const reportedType = textOf(event.type);
  const type = lookUp(TYPES, reportedType);
  const mail = fieldsOf(event.data);
  const occurredAt = timeOf(event.created_at);
  const recipient = textOf(Array.isArray(mail.to) ? mail.to[0] : mail.to);
  const providerMessageId = (headerOf(mail, 'message-id') ?? textOf(mail.message_id))?.replace(/^<|>$/g, '') ?? null;
  const named = { messageId: idOf(headerOf(mail, 'x-message-ref')), providerMessageId, occurredAt, recipient };
  if (!type) return unknownEvent(reportedType, event, named);
  const emailId = textOf(mail.email_id);
  const identity =
    emailId !== null && ONCE_PER_MESSAGE.includes(type)
      ? [emailId, reportedType ?? '', recipient ?? '']
      : [reportId ?? `${emailId ?? ''} ${reportedType ?? ''} ${timeKey(occurredAt)}`];
  return { ...named, type, identity, data: omitNullish(dataOf(reportedType ?? '', mail)) };
}

function dataOf(type: string, mail: Fields): Fields {
  const { message, type: bounceType, subType: bounceSubType, diagnosticCode } = fieldsOf(mail.bounce);
  switch (type) {
    case 'email.bounced': {
      const diagnostics = listOf(diagnosticCode).join('; ') || message;
      return { bounceType: bounceTypeOf(bounceType), bounceSubType, diagnosticCode: diagnostics };
    }
    case 'email.opened':
    case 'email.clicked': {
      const { link, userAgent, ipAddress } = fieldsOf(mail.click ?? mail.open);
      return { url: link, userAgent, ip: ipAddress };
    }
    case 'email.failed':
      return { reason: fieldsOf(mail.failed).reason };
    case 'email.suppressed':
      return { reason: fieldsOf(mail.suppressed).message, providerSuppression: 'bounced' };
    default:
      return {};
  }
}

const headerOf = (mail: Fields, name: string): string | null =>
  textOf(
    listOf(mail.headers)
      .map(fieldsOf)
      .find((header) => textOf(header.name)?.toLowerCase() === name)?.value,
  );
