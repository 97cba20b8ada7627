import { Injectable } from '@nestjs/common';

import { isEmailAddress } from '../../../shared/email-address.js';
import { EVENT_TYPES } from '../../../shared/event-types.js';
import { normalisePhone } from '../../../shared/phone-number.js';
import { Clock } from '../../../shared/ports/clock.js';
import {
  TimelineRepository,
  type FoundMessage,
  type RecordedEvent,
  type ReportedEvent,
  type ReportedMessage,
} from '../../messages/index.js';
import { type AddressToSuppress, SuppressAddresses } from '../../suppression/index.js';
import { suppressionCause } from '../domain/provider-event.js';
import type { AccountEvent, Outcome } from './account-event.js';
import { SeenReports } from './ports/seen-reports.js';

export interface Settled {
  outcome: Outcome;
  /** Its message is not known, but may be soon. */
  mayMatch: boolean;
}

/** Where an event led to. */
type Place = RecordedEvent | FoundMessage | { outcome: 'unknown'; message: null };
type Placed = ReadonlyMap<AccountEvent, Place>;
type Sightings = ReadonlyMap<AccountEvent, 'first' | 'again' | 'misused'>;

/** What an event changes: timeline, status and counts of its message, and who gets nothing more. */
@Injectable()
export class ApplyEvents {
  constructor(
    private readonly ledger: TimelineRepository,
    private readonly seen: SeenReports,
    private readonly suppressions: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /** Within the running transaction; one result per event, in order. What is known already changes nothing. */
  async settle(events: readonly AccountEvent[]): Promise<Settled[]> {
    const placed = await this.place(events);
    const sightings = await this.see(placed);
    const addresses = events.flatMap((event) => {
      const { outcome, message } = placed.get(event) ?? UNKNOWN;
      const isNews = outcome === 'recorded' || sightings.get(event) === 'first';
      return isNews ? toSuppress(event, message) : [];
    });
    if (addresses.length > 0) await this.suppressions.suppress(addresses);
    return events.map((event) => toSettled(event, placed, sightings));
  }

  private async place(events: readonly AccountEvent[]): Promise<Placed> {
    const placed = new Map<AccountEvent, Place>();
    const isOwn = ({ accountId, ownerId = null }: AccountEvent) => ownerId === null || ownerId === accountId;
    for (const event of events) placed.set(event, event.type === 'unknown' || isOwn(event) ? UNKNOWN : FOREIGN);
    const told = events.filter(isOfTimeline).filter(isOwn);
    const recorded = await this.ledger.record(told.map(({ id, ...event }) => ({ ...event, key: id })));
    told.forEach((event, i) => placed.set(event, recorded[i] ?? UNKNOWN));
    const notices = events.filter(isNotice).filter(isOwn);
    const found = await this.ledger.find(notices);
    notices.forEach((event, i) => placed.set(event, found[i] ?? UNKNOWN));
    return placed;
  }

  /** Of what stands on no timeline and yet suppresses: whether it is new. */
  private async see(placed: Placed): Promise<Sightings> {
    const heeded = [...placed].filter(([event, place]) => place.outcome === 'found' || isHeededAlone(event, place));
    const sightings = heeded.map(([{ accountId, id }, { message }]) => ({
      accountId,
      key: `notice ${id} ${message?.id ?? ''}`,
      meaning: id,
    }));
    const seen = await this.seen.see(sightings, this.clock.now());
    return new Map(heeded.map(([event], i) => [event, seen[i] ?? 'again']));
  }
}

const UNKNOWN: Place = { outcome: 'unknown', message: null };
const FOREIGN: Place = { outcome: 'foreign', message: null };

const isOfTimeline = (event: AccountEvent): event is AccountEvent & Pick<ReportedEvent, 'type'> =>
  (EVENT_TYPES as readonly string[]).includes(event.type);

/** Notices of suppression stand on no timeline. */
const isNotice = ({ type }: AccountEvent): boolean => type === 'suppressed';

const namesNone = ({ messageId, providerMessageId }: AccountEvent): boolean =>
  messageId === null && providerMessageId === null;

/**
 * A reason to suppress whose message is not kept any more, or never was: the account's own provider names the recipient. One
 * that names the message by the provider's id alone is given the time in which that becomes known.
 */
const isHeededAlone = (event: AccountEvent, { outcome }: Place): boolean =>
  outcome === 'unmatched' &&
  (event.messageId !== null || event.providerMessageId === null || event.isOverdue === true) &&
  suppressionCause(event) !== null &&
  namesRecipient(event);

const namesRecipient = ({ channel, recipient }: AccountEvent): boolean =>
  recipient !== null && (channel === 'sms' ? normalisePhone(recipient) !== null : isEmailAddress(recipient));

function toSettled(event: AccountEvent, placed: Placed, sightings: Sightings): Settled {
  const { outcome } = placed.get(event) ?? UNKNOWN;
  const sighting = sightings.get(event);
  // A notice needs no message.
  if (sighting !== undefined && (outcome === 'found' || (isNotice(event) && namesNone(event))))
    return { outcome: sighting === 'first' ? 'recorded' : 'known', mayMatch: false };
  const namesTheirs = event.providerMessageId !== null;
  // Two accounts may know messages by the same id of a provider, and this account its own one later.
  if (outcome === 'foreign') return { outcome: 'unmatched', mayMatch: namesTheirs && event.messageId === null };
  if (outcome === 'unmatched' || outcome === 'found') return { outcome: 'unmatched', mayMatch: namesTheirs };
  return { outcome, mayMatch: false };
}

/** The message's own recipient: a provider may name another address, for instance one that the mail was forwarded to. */
function toSuppress(event: AccountEvent, message: ReportedMessage | null): AddressToSuppress[] {
  const reason = suppressionCause(event);
  const address = message?.recipient ?? event.recipient;
  if (reason === null || address === null) return [];
  const { diagnosticCode, feedbackType } = event.data;
  return [
    {
      accountId: event.accountId,
      channel: event.channel,
      address,
      reason,
      source: 'provider',
      messageLogId: message?.id ?? null,
      contactId: message?.contactId ?? null,
      campaignId: message?.campaignId ?? null,
      diagnosticCode: typeof diagnosticCode === 'string' ? diagnosticCode : null,
      feedbackType: typeof feedbackType === 'string' ? feedbackType : null,
    },
  ];
}
