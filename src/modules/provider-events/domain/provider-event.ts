import type { EventType } from '../../../shared/event-types.js';
import { storable } from './fields.js';

/** Of whom a provider says that it takes no more mail for them, or should not be given any. */
const CAUSES = ['bounced', 'complained', 'unsubscribed', 'manual'] as const;
export type SuppressionCause = (typeof CAUSES)[number];

/** One fact that a provider reports, in our words. */
export interface ProviderEvent {
  /** `suppressed`: the provider put the recipient on its list; `unknown`: nothing that the service knows. */
  type: EventType | 'suppressed' | 'unknown';
  /** What the provider knows the fact by: each report of it says the same, and no other fact does. */
  knownBy: readonly string[];
  /** Our own id of the message, where the report names it. */
  messageId: string | null;
  /** The provider's id of the message. */
  providerMessageId: string | null;
  occurredAt: Date;
  recipient: string | null;
  /** With `providerSuppression` where the provider says why it lists the recipient. */
  data: Record<string, unknown>;
}

/** Why the recipient gets no more mail, if the event is a reason for it. Soft bounces and `not-spam` reports are none. */
export function suppressionCause({ type, data }: Pick<ProviderEvent, 'type' | 'data'>): SuppressionCause | null {
  const named = CAUSES.find((cause) => cause === data.providerSuppression);
  if (named) return named;
  if (type === 'bounced' && data.bounceType !== 'soft') return 'bounced';
  return type === 'complained' && data.feedbackType !== 'not-spam' ? 'complained' : null;
}

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
    occurredAt: known.occurredAt ?? new Date(0),
    recipient: known.recipient ?? null,
    data: { reportedType, reported },
  };
}
