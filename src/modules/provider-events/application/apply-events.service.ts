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
import { suppressionCause } from '../../../providers/index.js';
import type { AccountEvent, Outcome } from './account-event.js';
import { type Occurrence, SeenReports } from './ports/seen-reports.js';

export interface AppliedEvent {
  outcome: Outcome;
  /** The account has no such message yet, but may have it soon. */
  mayMatch: boolean;
}

/** The message that an event was matched with, if any. */
type Match = RecordedEvent | FoundMessage | { outcome: 'unknown'; message: null };
type Matches = ReadonlyMap<AccountEvent, Match>;
type Occurrences = ReadonlyMap<AccountEvent, Occurrence>;

/** Applies provider events: to the timeline, status and counts of their messages, and to the suppression list. */
@Injectable()
export class ApplyEvents {
  constructor(
    private readonly timelines: TimelineRepository,
    private readonly seen: SeenReports,
    private readonly suppressions: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /** Joins the running transaction; returns one result per event, in order. Repeated reports change nothing. */
  async apply(events: readonly AccountEvent[]): Promise<AppliedEvent[]> {
    const matches = await this.match(events);
    const occurrences = await this.findOccurrences(matches);
    const addresses = events.flatMap((event) => {
      const { outcome, message } = matches.get(event) ?? UNKNOWN;
      const isNew = outcome === 'recorded' || occurrences.get(event) === 'first';
      return isNew ? toSuppress(event, message) : [];
    });
    if (addresses.length > 0) await this.suppressions.suppress(addresses);
    return events.map((event) => toApplied(event, matches.get(event) ?? UNKNOWN, occurrences.get(event)));
  }

  private async match(events: readonly AccountEvent[]): Promise<Matches> {
    const matches = new Map<AccountEvent, Match>();
    for (const event of events) matches.set(event, event.type === 'unknown' || isOwn(event) ? UNKNOWN : FOREIGN);
    const toRecord = events.filter(belongsOnTimeline).filter(isOwn);
    const recorded = await this.timelines.record(toRecord.map(({ id, ...event }) => ({ ...event, key: id })));
    toRecord.forEach((event, i) => matches.set(event, recorded[i] ?? UNKNOWN));
    const notices = events.filter(isSuppressionNotice).filter(isOwn);
    const found = await this.timelines.find(notices);
    notices.forEach((event, i) => matches.set(event, found[i] ?? UNKNOWN));
    return matches;
  }

  /** Whether events that suppress but are not on a timeline are reported for the first time. */
  private async findOccurrences(matches: Matches): Promise<Occurrences> {
    const toCheck = [...matches].filter(
      ([event, match]) => match.outcome === 'found' || suppressesWithoutMessage(event, match),
    );
    const reports = toCheck.map(([{ accountId, id }, { message }]) => ({
      accountId,
      key: `notice ${id} ${message?.id ?? ''}`,
      content: id,
    }));
    const occurrences = await this.seen.add(reports, this.clock.now());
    return new Map(toCheck.map(([event], i) => [event, occurrences[i] ?? 'repeated']));
  }
}

const UNKNOWN: Match = { outcome: 'unknown', message: null };
const FOREIGN: Match = { outcome: 'foreign', message: null };

const isOwn = ({ accountId, ownerId = null }: AccountEvent): boolean => ownerId === null || ownerId === accountId;

const belongsOnTimeline = (event: AccountEvent): event is AccountEvent & Pick<ReportedEvent, 'type'> =>
  (EVENT_TYPES as readonly string[]).includes(event.type);

/** Suppression notices are not on any timeline. */
const isSuppressionNotice = ({ type }: AccountEvent): boolean => type === 'suppressed';

const hasNoMessageId = ({ messageId, providerMessageId }: AccountEvent): boolean =>
  messageId === null && providerMessageId === null;

/**
 * Whether an event suppresses its recipient although its message is not kept any more, or never was: the account's own
 * provider names the recipient. If only the provider's id names the message, that id may still become known.
 */
const suppressesWithoutMessage = (event: AccountEvent, { outcome }: Match): boolean =>
  outcome === 'unmatched' &&
  (event.messageId !== null || event.providerMessageId === null || event.isOverdue === true) &&
  suppressionCause(event) !== null &&
  hasRecipient(event);

const hasRecipient = ({ channel, recipient }: AccountEvent): boolean =>
  recipient !== null && (channel === 'sms' ? normalisePhone(recipient) !== null : isEmailAddress(recipient));

function toApplied(event: AccountEvent, { outcome }: Match, occurrence: Occurrence | undefined): AppliedEvent {
  // A suppression notice needs no message.
  if (occurrence !== undefined && (outcome === 'found' || (isSuppressionNotice(event) && hasNoMessageId(event))))
    return { outcome: occurrence === 'first' ? 'recorded' : 'known', mayMatch: false };
  const hasProviderId = event.providerMessageId !== null;
  // Two accounts may know messages by the same provider id, and this account may learn of its own one later.
  if (outcome === 'foreign') return { outcome: 'unmatched', mayMatch: hasProviderId && event.messageId === null };
  if (outcome === 'unmatched' || outcome === 'found') return { outcome: 'unmatched', mayMatch: hasProviderId };
  return { outcome, mayMatch: false };
}

/** Suppresses the message's recipient: a provider may report another address, such as one the mail was forwarded to. */
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
