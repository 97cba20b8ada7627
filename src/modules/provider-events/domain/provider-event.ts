import type { EventType } from '../../../shared/event-types.js';
import { storable } from './fields.js';

/** Of whom a provider says that it takes no more messages for them, or should not be given any. */
const CAUSES = ['bounced', 'complained', 'unsubscribed', 'manual', 'sms_opt_out'] as const;
export type SuppressionCause = (typeof CAUSES)[number];

/** One fact that a provider reports, in our words. */
export interface ProviderEvent {
  /** `suppressed`: the provider put the recipient on its list; `unknown`: nothing that the service knows. */
  type: EventType | 'suppressed' | 'unknown';
  /**
   * What the provider knows the fact by: each report of it says the same, and no other fact does. Its event id alone where
   * there is one; else the time is part of it, as far as it can be read.
   */
  knownBy: readonly string[];
  /** Our own id of the message, where the report names it. */
  messageId: string | null;
  /** The provider's id of the message. */
  providerMessageId: string | null;
  /** Null where the report tells no time that can be: then it is that of receipt. */
  occurredAt: Date | null;
  recipient: string | null;
  /** The account that the report names as the message's; null where it names none. */
  ownerId?: string | null;
  /** With `providerSuppression` where the provider says why it lists the recipient. */
  data: Record<string, unknown>;
}

/** Why the recipient gets nothing more, if the event is a reason for it. Soft bounces and `not-spam` reports are none. */
export function suppressionCause({ type, data }: Pick<ProviderEvent, 'type' | 'data'>): SuppressionCause | null {
  const named = CAUSES.find((cause) => cause === data.providerSuppression);
  if (named) return named;
  if (type === 'bounced' && data.bounceType === 'hard') return 'bounced';
  return type === 'complained' && data.feedbackType !== 'not-spam' ? 'complained' : null;
}

const HARD_BOUNCE_TYPES = ['hard', 'permanent'];

/** A bounce is hard only if the report says so, in any case. A missing or unknown type suppresses nobody. */
export const bounceTypeOf = (reported: unknown): 'hard' | 'soft' =>
  typeof reported === 'string' && HARD_BOUNCE_TYPES.includes(reported.trim().toLowerCase()) ? 'hard' : 'soft';

/** The time as part of what a fact is known by. */
export const timeKey = (occurredAt: Date | null): string => occurredAt?.toISOString() ?? '';

/** Keeps all of a report that the service has no word for. */
export function unknownEvent(
  reportedType: string | null,
  reported: unknown,
  known: Partial<Pick<ProviderEvent, 'messageId' | 'providerMessageId' | 'occurredAt' | 'recipient'>> = {},
): ProviderEvent {
  return {
    type: 'unknown',
    knownBy: ['unknown', JSON.stringify(storable(reported))],
    messageId: known.messageId ?? null,
    providerMessageId: known.providerMessageId ?? null,
    occurredAt: known.occurredAt ?? null,
    recipient: known.recipient ?? null,
    data: { reportedType, reported },
  };
}
