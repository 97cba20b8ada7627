import { eventId } from '../../messages/index.js';
import { storable } from '../domain/fields.js';
import type { ProviderEvent } from '../domain/provider-event.js';

/** A provider's event with the account whose endpoint it came to, as it is kept. */
export interface AccountEvent extends Omit<ProviderEvent, 'knownBy'> {
  accountId: string;
  provider: string;
  /** Of the fact: the same for every report of it. */
  id: string;
}

/** `unmatched`: its account has no such message (yet); `unknown`: kept, and nothing else. */
export type Outcome = 'recorded' | 'known' | 'unmatched' | 'unknown';

export function toAccountEvent(
  accountId: string,
  provider: string,
  { knownBy, ...event }: ProviderEvent,
): AccountEvent {
  const id = eventId(event.occurredAt, provider, ...knownBy);
  return { ...(storable(event) as typeof event), accountId, provider, id };
}
