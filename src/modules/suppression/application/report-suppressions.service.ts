import { Injectable } from '@nestjs/common';

import { type Actor, PERSON, SYSTEM } from '../../../shared/actor.js';
import type { Channel } from '../../../shared/channel.js';
import { groupBy } from '../../../shared/collections.js';
import type { DomainEvent } from '../../../shared/events.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { type ConsentSource, type NewConsent, RecordConsents } from '../../consent/index.js';
import type { AddressToSuppress, Suppression, SuppressionReason, SuppressionSource } from '../domain/suppression.js';
import { SuppressionRepository } from './ports/suppression.repository.js';

/** Reasons by which the recipient withdraws consent. A bounce or an entry of an operator says nothing about it. */
const WITHDRAWING: ReadonlySet<SuppressionReason> = new Set(['unsubscribed', 'complained', 'sms_opt_out']);

const CONSENT_SOURCES: Record<SuppressionSource, ConsentSource> = {
  one_click: 'one_click',
  form: 'preferences',
  provider: 'provider',
  api: 'api',
  dashboard: 'dashboard',
  import: 'import',
  sms_sync: 'provider',
};

/** Records the consequences of suppressions in the same transaction: events, and withdrawals of consent. */
@Injectable()
export class ReportSuppressions {
  constructor(
    private readonly outbox: Outbox,
    private readonly consents: RecordConsents,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /**
   * Records a withdrawal for every entry by whose cause the recipient withdraws consent, also if another cause has
   * suppressed the address already; not for erased addresses, about which nothing is stored.
   */
  async report(
    causes: ReadonlyMap<Suppression, AddressToSuppress>,
    written: ReadonlySet<string>,
    events: readonly DomainEvent[],
  ): Promise<void> {
    const withdrawing = [...causes].filter(([{ reason }]) => WITHDRAWING.has(reason));
    const others = withdrawing.flatMap(([entry]) => (written.has(addressKey(entry)) ? [] : [entry]));
    const erased = others.length === 0 ? new Set<string>() : await this.findErased(others);
    const known = withdrawing.filter(([entry]) => !erased.has(addressKey(entry)));
    const withdrawals = firstPerAddress(known).map(([entry, cause]) => ({
      ...toWithdrawal(cause, entry.contactId),
      // Always with a new suppression: a consent from before it may be imported later, and must not stand then. Also
      // with every stop word: a START from before the last one must not undo it.
      ...(written.has(addressKey(entry)) || isStop(cause) ? {} : { condition: conditionFor(cause) }),
    }));
    await this.consents.record(withdrawals);
    await this.outbox.add(events);
  }

  /** Records withdrawals of consent by recipients whose addresses are suppressed already. */
  async withdraw(causes: readonly AddressToSuppress[]): Promise<void> {
    await this.consents.record(causes.map((cause) => ({ ...toWithdrawal(cause), condition: 'unless_withdrawn' })));
  }

  /** The keys of the addresses of which only the hash is stored. */
  private async findErased(entries: readonly Suppression[]): Promise<Set<string>> {
    const groups = groupBy(entries, ({ accountId, channel }) => `${accountId} ${channel}`);
    const erased = new Set<string>();
    for (const [group, ofGroup] of groups) {
      const [accountId, channel] = group.split(' ') as [string, Channel];
      const addresses = ofGroup.map(({ address }) => address);
      const reasons = await this.suppressions.findReasons(accountId, channel, addresses);
      for (const [address, reason] of reasons) if (reason === 'erased') erased.add(`${group} ${address}`);
    }
    return erased;
  }
}

const isStop = ({ reason, source }: AddressToSuppress): boolean => reason === 'sms_opt_out' && source === 'provider';

export const addressKey = ({ accountId, channel, address }: Suppression): string =>
  `${accountId} ${channel} ${address}`;

function firstPerAddress(
  causes: readonly (readonly [Suppression, AddressToSuppress])[],
): (readonly [Suppression, AddressToSuppress])[] {
  const first = new Map<string, readonly [Suppression, AddressToSuppress]>();
  for (const cause of causes) if (!first.has(addressKey(cause[0]))) first.set(addressKey(cause[0]), cause);
  return [...first.values()];
}

/** What people do themselves is recorded again later; what is synchronised or imported may be repeated without end. */
const conditionFor = ({ source, reason }: AddressToSuppress): 'unless_just_withdrawn' | 'unless_withdrawn' =>
  source === 'one_click' || source === 'form' || reason === 'complained' ? 'unless_just_withdrawn' : 'unless_withdrawn';

const toWithdrawal = (cause: AddressToSuppress, contactId?: string | null): NewConsent => {
  const { accountId, channel, address, reason, source, messageLogId, campaignId, actor, ip, userAgent } = cause;
  return {
    ...{ accountId, channel, address, contactId, messageLogId, campaignId, ip, userAgent },
    action: 'withdrawn',
    source: reason === 'sms_opt_out' && source === 'provider' ? 'sms' : CONSENT_SOURCES[source],
    actor: actor ?? actorOf(source),
  };
};

/** A provider reports what recipients did; its list of opted-out numbers does not say who put them there. */
const actorOf = (source: SuppressionSource): Actor =>
  source === 'one_click' || source === 'form' || source === 'provider' ? PERSON : SYSTEM;
