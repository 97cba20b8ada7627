import type { Channel } from '../../../shared/channel.js';
import { eventKey } from '../../messages/index.js';
import { boundedData, type ProviderEvent, storable } from '../../../providers/index.js';

/** A provider event with the account that it was posted to. */
export interface AccountEvent extends Omit<ProviderEvent, 'identity'> {
  accountId: string;
  channel: Channel;
  occurredAt: Date;
  provider: string;
  /** The id that every report of the event has. */
  id: string;
  /** The event has been unmatched for longer than it takes to record the provider's id of a message. */
  isOverdue?: boolean;
}

/** `unmatched`: the account has no such message (yet); `unknown`: of a type without effect, only kept. */
export type Outcome = 'recorded' | 'known' | 'unmatched' | 'unknown';

export interface StoredEvent {
  event: AccountEvent;
  outcome: Outcome;
}

/** Longer than the ids of any provider. The id is indexed and written to the log. */
const MAX_PROVIDER_ID_LENGTH = 255;
/** Longer than any address or number. */
const MAX_RECIPIENT_LENGTH = 1_000;

export function toAccountEvent(
  source: Pick<AccountEvent, 'accountId' | 'provider' | 'channel'>,
  { identity, ...event }: ProviderEvent,
  receivedAt: Date,
): AccountEvent {
  const accountEvent = { ...(storable(event) as typeof event), occurredAt: event.occurredAt ?? receivedAt };
  if (accountEvent.providerMessageId !== null && accountEvent.providerMessageId.length > MAX_PROVIDER_ID_LENGTH)
    accountEvent.providerMessageId = null;
  if (accountEvent.recipient !== null && accountEvent.recipient.length > MAX_RECIPIENT_LENGTH)
    accountEvent.recipient = null;
  accountEvent.data = boundedData(accountEvent.data);
  return { ...accountEvent, ...source, id: eventKey(source.provider, ...identity) };
}
