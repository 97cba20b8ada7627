import type { Channel } from '../../../shared/channel.js';
import { eventId } from '../../messages/index.js';
import { storable } from '../domain/fields.js';
import type { ProviderEvent } from '../domain/provider-event.js';

/** Of all SMS; every other provider's events are about e-mail. */
export const SMS_PROVIDER = 'sns';

/** A provider's event with the account whose endpoint it came to, as it is kept. */
export interface AccountEvent extends Omit<ProviderEvent, 'knownBy'> {
  accountId: string;
  channel: Channel;
  occurredAt: Date;
  provider: string;
  /** Of the fact: the same for every report of it. */
  id: string;
  /** Its message is looked for since long enough to be recorded by now, if it is the account's. */
  isOverdue?: boolean;
}

/** No provider's is longer; each is indexed and written to the log. */
const MAX_PROVIDER_ID_LENGTH = 255;

/** `unmatched`: its account has no such message (yet); `unknown`: kept, and nothing else. */
export type Outcome = 'recorded' | 'known' | 'unmatched' | 'unknown';

export function toAccountEvent(
  accountId: string,
  provider: string,
  { knownBy, ...event }: ProviderEvent,
  receivedAt: Date,
): AccountEvent {
  const known = { ...(storable(event) as typeof event), occurredAt: event.occurredAt ?? receivedAt };
  if (known.providerMessageId !== null && known.providerMessageId.length > MAX_PROVIDER_ID_LENGTH)
    known.providerMessageId = null;
  const channel = provider === SMS_PROVIDER ? 'sms' : 'email';
  return { ...known, accountId, channel, provider, id: eventId(provider, ...knownBy) };
}
