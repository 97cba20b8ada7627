import type { EventType } from '../../shared/event-types.js';
import { storable } from './fields.js';

/** The reason why a provider does not accept, or should not be given, messages for a recipient. */
const CAUSES = ['bounced', 'complained', 'unsubscribed', 'manual', 'sms_opt_out'] as const;
export type SuppressionCause = (typeof CAUSES)[number];

/** An event that a provider reports, in the service's own terms. */
export interface ProviderEvent {
  /** `suppressed`: the provider put the recipient on its suppression list; `unknown`: any type the service ignores. */
  type: EventType | 'suppressed' | 'unknown';
  /**
   * Identifies the event: the same in every report of it, and different for every other event. The provider's event id
   * if there is one; otherwise it includes the time if that can be parsed.
   */
  identity: readonly string[];
  /** The service's id of the message, if the report contains it. */
  messageId: string | null;
  /** The provider's id of the message. */
  providerMessageId: string | null;
  /** Null if the report contains no plausible time; the time of receipt is used then. */
  occurredAt: Date | null;
  recipient: string | null;
  /** The account that owns the message according to the report, if it says so. */
  ownerId?: string | null;
  /** Contains `providerSuppression` if the provider says why it suppresses the recipient. */
  data: Record<string, unknown>;
}

/** The reason why the event suppresses its recipient, or null. Soft bounces and `not-spam` reports do not suppress. */
export function suppressionCause({ type, data }: Pick<ProviderEvent, 'type' | 'data'>): SuppressionCause | null {
  const named = CAUSES.find((cause) => cause === data.providerSuppression);
  if (named) return named;
  if (type === 'bounced' && data.bounceType === 'hard') return 'bounced';
  return type === 'complained' && data.feedbackType !== 'not-spam' ? 'complained' : null;
}

const HARD_BOUNCE_TYPES = ['hard', 'permanent'];

/** A bounce is hard only if the report says so, in upper or lower case. A missing or unknown type suppresses nobody. */
export const bounceTypeOf = (reported: unknown): 'hard' | 'soft' =>
  typeof reported === 'string' && HARD_BOUNCE_TYPES.includes(reported.trim().toLowerCase()) ? 'hard' : 'soft';

/** The time as part of an identity. */
export const timeKey = (occurredAt: Date | null): string => occurredAt?.toISOString() ?? '';

/** Keeps the whole report of an event that the service does not know. */
export function unknownEvent(
  reportedType: string | null,
  reported: unknown,
  known: Partial<Pick<ProviderEvent, 'messageId' | 'providerMessageId' | 'occurredAt' | 'recipient'>> = {},
): ProviderEvent {
  return {
    type: 'unknown',
    identity: ['unknown', JSON.stringify(storable(reported))],
    messageId: known.messageId ?? null,
    providerMessageId: known.providerMessageId ?? null,
    occurredAt: known.occurredAt ?? null,
    recipient: known.recipient ?? null,
    data: { reportedType, reported },
  };
}
