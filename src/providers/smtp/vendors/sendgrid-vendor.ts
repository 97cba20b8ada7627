import { verify } from 'node:crypto';

import { sendgridKey } from './event-signing-key.js';
import { DomainError } from '../../../shared/domain-error.js';
import type { ProviderPost } from '../../capabilities/reports.js';
import { EventVendor, type Verification } from '../../events/event-vendor.js';
import { readJson } from '../../events/read-json.js';
import { type Fields, fieldsOf, idOf, lookUp, omitNullish, textOf, timeOf } from '../../events/fields.js';
import { type ProviderEvent, type SuppressionCause, timeKey, unknownEvent } from '../../events/provider-event.js';
import { isWithin } from '../../events/signatures.js';

/** SendGrid retries a post for a day; whether it signs each retry again is not documented. */
const TOLERANCE_SECONDS = 86_400;

const TYPES: Readonly<Record<string, ProviderEvent['type']>> = {
  processed: 'sent',
  deferred: 'delayed',
  delivered: 'delivered',
  bounce: 'bounced',
  dropped: 'failed',
  open: 'opened',
  click: 'clicked',
  spamreport: 'complained',
  unsubscribe: 'suppressed',
  group_unsubscribe: 'suppressed',
};

/** The drop reasons that mean the recipient is on a suppression list of SendGrid. */
const SUPPRESSION_CAUSES: Readonly<Record<string, SuppressionCause>> = {
  'bounced address': 'bounced',
  invalid: 'bounced',
  'unsubscribed address': 'unsubscribed',
  'spam reporting address': 'complained',
};

/** SendGrid's reference is inconsistent about the case of types and reasons. */
const toLower = (word: unknown): string => (textOf(word) ?? '').trim().toLowerCase();

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export class SendgridVendor extends EventVendor {
  /** The signature covers the timestamp and the exact bytes, including the line break at the end. */
  verify({ headers, body }: ProviderPost, key: string, now: Date): Verification | null {
    const publicKey = sendgridKey(key);
    const timestamp = headers['x-twilio-email-event-webhook-timestamp'] ?? '';
    const signature = Buffer.from(headers['x-twilio-email-event-webhook-signature'] ?? '', 'base64');
    if (!publicKey || !isWithin(timestamp, TOLERANCE_SECONDS, now)) return null;
    const signed = Buffer.concat([Buffer.from(timestamp), body]);
    return verify('sha256', signed, publicKey, signature) ? { singleUseToken: null } : null;
  }

  *parse(body: Buffer): Generator<ProviderEvent, void> {
    const content = readJson(body);
    if (!Array.isArray(content)) throw DomainError.invalid('The body must be a JSON array');
    for (const entry of content) yield toEvent(fieldsOf(entry));
  }
}

function toEvent(entry: Fields): ProviderEvent {
  const reportedType = textOf(entry.event);
  const type = lookUp(TYPES, reportedType);
  const occurredAt = timeOf(entry.timestamp);
  const recipient = textOf(entry.email);
  const providerMessageId = textOf(entry['smtp-id'])?.replace(/^<|>$/g, '') ?? null;
  const named = { messageId: idOf(entry.mid), providerMessageId, occurredAt, recipient };
  if (!type) return unknownEvent(reportedType, entry, named);
  const eventId = textOf(entry.sg_event_id);
  const identity = eventId
    ? [eventId]
    : [textOf(entry.sg_message_id) ?? '', reportedType ?? '', recipient ?? '', timeKey(occurredAt)];
  return { ...named, type, identity, data: omitNullish(dataOf(reportedType ?? '', entry)) };
}

function dataOf(type: string, entry: Fields): Fields {
  const { reason, status, response, url, useragent: userAgent, ip } = entry;
  switch (type) {
    case 'bounce': // `blocked` and `expired` say nothing about the address
      return { bounceType: toLower(entry.type) === 'bounce' ? 'hard' : 'soft', diagnosticCode: reason, status };
    case 'dropped':
      return { reason, status, providerSuppression: lookUp(SUPPRESSION_CAUSES, toLower(reason)) };
    case 'open':
    case 'click':
      return { url, userAgent, ip, automated: entry.sg_machine_open === true ? true : undefined };
    case 'spamreport':
      return { feedbackType: 'abuse' };
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { providerSuppression: 'unsubscribed' };
    default:
      return { smtpResponse: response, reason, attempt: entry.attempt };
  }
}
