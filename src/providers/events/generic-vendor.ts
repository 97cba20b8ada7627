import { isSame } from '../../platform/crypto/is-same.js';
import { DomainError } from '../../shared/domain-error.js';
import { PROVIDER_EVENT_TYPES } from '../../shared/event-types.js';
import type { ProviderPost } from '../capabilities/reports.js';
import { EventVendor, type Verification } from './event-vendor.js';
import { readJson } from './read-json.js';
import { type Fields, fieldsOf, idOf, isFields, textOf, timeOf } from './fields.js';
import { bounceTypeOf, type ProviderEvent, unknownEvent } from './provider-event.js';
import { hmacSha256, isWithin } from './signatures.js';

const TOLERANCE_SECONDS = 300;

/** The service's own format, for relays and forwarders that have none; the API reference describes it. */
export class GenericVendor extends EventVendor {
  verify({ headers, body }: ProviderPost, key: string, now: Date): Verification | null {
    const parts = (headers['x-signature'] ?? '').split(',').map((part) => part.trim().split('='));
    const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
    if (!isWithin(timestamp, TOLERANCE_SECONDS, now)) return null;
    const expected = hmacSha256(key, `${timestamp}.`, body).toString('hex');
    return parts.some(([name, value = '']) => name === 'v1' && isSame(value, expected))
      ? { singleUseToken: null }
      : null;
  }

  *parse(body: Buffer): Generator<ProviderEvent, void> {
    const content = readJson(body);
    if (!Array.isArray(content)) yield this.toEvent(content);
    else for (const entry of content) yield this.toEventOrUnknown(entry);
  }

  /** Throws invalid if required fields are missing. */
  protected toEvent(entry: unknown): ProviderEvent {
    return toEvent(entry);
  }

  /** In an array, an entry with missing fields does not keep the others from being stored. */
  private toEventOrUnknown(entry: unknown): ProviderEvent {
    try {
      return this.toEvent(entry);
    } catch {
      return unknownEvent(textOf(fieldsOf(entry).type), entry);
    }
  }
}

function toEvent(entry: unknown): ProviderEvent {
  if (!isFields(entry)) throw DomainError.invalid('The body must be an event');
  const reportedType = textOf(entry.type);
  const type = PROVIDER_EVENT_TYPES.find((known) => known === reportedType);
  const id = textOf(entry.id);
  const occurredAt = timeOf(entry.occurredAt);
  const messageId = idOf(entry.messageLogId);
  const providerMessageId = textOf(entry.providerMessageId);
  const recipient = textOf(entry.recipient);
  const named = { messageId, providerMessageId, occurredAt, recipient };
  if (reportedType === null) throw DomainError.invalid('type is required');
  if (id === null) throw DomainError.invalid('id is required');
  if (!type) return { ...unknownEvent(reportedType, entry, named), identity: ['unknown', id] };
  if (entry.messageLogId === undefined && providerMessageId === null)
    throw DomainError.invalid('messageLogId or providerMessageId is required');
  return { ...named, type, identity: [id], data: dataOf(type, fieldsOf(entry.data)) };
}

/** Only the type of a bounce decides about suppression, nothing else in `data`. */
function dataOf(type: string, given: Fields): Record<string, unknown> {
  const data: Record<string, unknown> = { ...given };
  delete data.providerSuppression;
  return type === 'bounced' ? { ...data, bounceType: bounceTypeOf(data.bounceType) } : data;
}
