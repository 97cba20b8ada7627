import { Injectable } from '@nestjs/common';

import { isEmailAddress } from '../../../shared/email-address.js';
import { EVENT_TYPES } from '../../../shared/event-types.js';
import { Clock } from '../../../shared/ports/clock.js';
import { EventLedger, type ReportedEvent, type ReportedMessage } from '../../messages/index.js';
import { type AddressToSuppress, SuppressAddresses } from '../../suppression/index.js';
import { suppressionCause } from '../domain/provider-event.js';
import type { AccountEvent, Outcome } from './account-event.js';
import { SeenReports } from './ports/seen-reports.js';

interface Settled {
  outcome: Outcome;
  message: ReportedMessage | null;
}

/** What an event changes: timeline, status and counts of its message, and who gets no more mail. */
@Injectable()
export class SettleEvents {
  constructor(
    private readonly ledger: EventLedger,
    private readonly seen: SeenReports,
    private readonly suppressions: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /** Within the running transaction; one outcome per event, in order. What is known already changes nothing. */
  async settle(events: readonly AccountEvent[]): Promise<Outcome[]> {
    const settled = new Map<AccountEvent, Settled>();
    await this.tell(events.filter(isOfTimeline), settled);
    await this.heed(
      events.filter(({ type }) => type === 'suppressed'),
      settled,
    );
    const addresses = events.flatMap((event) => {
      const { outcome, message } = settled.get(event) ?? UNKNOWN;
      return outcome === 'recorded' ? toSuppress(event, message) : [];
    });
    if (addresses.length > 0) await this.suppressions.suppress(addresses);
    return events.map((event) => (settled.get(event) ?? UNKNOWN).outcome);
  }

  private async tell(events: readonly (AccountEvent & ReportedEvent)[], settled: Map<AccountEvent, Settled>) {
    const recorded = await this.ledger.record(events);
    events.forEach((event, i) => settled.set(event, recorded[i] ?? UNKNOWN));
  }

  /** Notices of suppression stand on no timeline. Where one names a message, it must be the account's. */
  private async heed(notices: readonly AccountEvent[], settled: Map<AccountEvent, Settled>): Promise<void> {
    const messages = await this.ledger.find(notices);
    const heeded = notices.flatMap((event, i) => {
      const message = messages[i] ?? null;
      const isTheirs = message !== null || (namesNone(event) && isEmailAddress(event.recipient ?? ''));
      settled.set(event, { outcome: 'unmatched', message });
      return isTheirs ? [{ event, message }] : [];
    });
    const sightings = heeded.map(({ event: { accountId, id }, message }) => ({
      accountId,
      key: `notice ${id} ${message?.id ?? ''}`,
      meaning: id,
    }));
    const seen = await this.seen.see(sightings, this.clock.now());
    heeded.forEach(({ event, message }, i) => {
      settled.set(event, { outcome: seen[i] === 'first' ? 'recorded' : 'known', message });
    });
  }
}

const UNKNOWN: Settled = { outcome: 'unknown', message: null };

const isOfTimeline = (event: AccountEvent): event is AccountEvent & ReportedEvent =>
  (EVENT_TYPES as readonly string[]).includes(event.type);

const namesNone = ({ messageId, providerMessageId }: AccountEvent): boolean =>
  messageId === null && providerMessageId === null;

/** The message's own recipient: a provider may name another address, for instance one that the mail was forwarded to. */
function toSuppress(event: AccountEvent, message: ReportedMessage | null): AddressToSuppress[] {
  const reason = suppressionCause(event);
  const address = message?.recipient ?? event.recipient;
  if (reason === null || address === null) return [];
  const { diagnosticCode, feedbackType } = event.data;
  return [
    {
      accountId: event.accountId,
      channel: 'email',
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
