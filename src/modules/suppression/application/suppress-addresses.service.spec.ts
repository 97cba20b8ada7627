import { beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '../../../shared/events.js';
import type { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { NewConsent, RecordConsents } from '../../consent/index.js';
import type { AddressToSuppress } from '../domain/suppression.js';
import type { FormerCause } from '../domain/suppression-event.js';
import type { SuppressedContacts } from './ports/suppressed-contacts.js';
import type { SuppressionRepository, WrittenSuppression } from './ports/suppression.repository.js';
import { ReportSuppressions } from './report-suppressions.service.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const FAULTS = {
  isRowFault: () => false,
  isTimedOut: () => false,
  isLockTimeout: () => false,
  isOutOfReach: () => false,
  isUnavailable: () => false,
};

const bounce = (address: string, accountId = 'a1'): AddressToSuppress => ({
  accountId,
  channel: 'email',
  address,
  reason: 'bounced',
  source: 'provider',
  messageLogId: 'm1',
  diagnosticCode: '550',
});

describe('Suppressing addresses', () => {
  let statements: string[];
  let events: DomainEvent[];
  let statuses: object[];
  /** The causes of existing entries that a new one replaces, by address. */
  let replaced: Map<string, FormerCause>;
  /** Addresses whose entry does not change. */
  let kept: Set<string>;
  /** Addresses of which only the hash is stored. */
  let erased: Set<string>;
  let withdrawals: NewConsent[];
  let isRunning: boolean;
  let service: SuppressAddresses;

  beforeEach(() => {
    [statements, events, statuses, replaced, kept] = [[], [], [], new Map(), new Set()];
    [erased, withdrawals] = [new Set(), []];
    isRunning = false;
    const transactions: TransactionRunner = {
      get isRunning() {
        return isRunning;
      },
      run: (work) => work(),
      runInLane: (_, work) => work(),
    };
    const repository: Pick<SuppressionRepository, 'addAcrossAccounts' | 'findReasons'> = {
      findReasons: async (_, __, addresses) =>
        new Map(addresses.map((address) => [address, erased.has(address) ? 'erased' : 'bounced'])),
      addAcrossAccounts: async (entries) => {
        statements.push(`write ${entries.map(({ address }) => address).join(' ')}`);
        const distinct = new Map([...entries].reverse().map((entry) => [entry.accountId + entry.address, entry]));
        return [...distinct.values()].flatMap((suppression): WrittenSuppression[] =>
          kept.has(suppression.address) || erased.has(suppression.address)
            ? []
            : [{ suppression, former: replaced.get(suppression.address) ?? null }],
        );
      },
    };
    const contacts: SuppressedContacts = {
      lock: async (accountIds) => void statements.push(`lock ${accountIds.join(' ')}`),
      findAcrossAccounts: async (addresses) =>
        addresses.map(({ email }) =>
          email === 'ada@example.com' ? { contactId: 'c1', firstName: 'Ada', lastName: null } : null,
        ),
      updateStatuses: async (changed) => void statuses.push(...changed),
    };
    const outbox = { add: async (added: readonly DomainEvent[]) => void events.push(...added) };
    const clock = { now: () => NOW, catchUp: () => Promise.resolve() };
    const suppressions = repository as SuppressionRepository;
    const consents = {
      record: async (records: readonly NewConsent[]) => {
        withdrawals.push(...records);
        return records.map(() => null);
      },
    } as unknown as RecordConsents;
    const reports = new ReportSuppressions(outbox, consents, suppressions);
    service = new SuppressAddresses(transactions, suppressions, contacts, reports, clock, FAULTS);
  });

  it('adds an entry, sets the status of its contact and reports an event', async () => {
    const added = await service.suppress([bounce('Ada@example.com')]);
    expect(added).toMatchObject([{ address: 'ada@example.com', contactId: 'c1', reason: 'bounced' }]);
    expect(statements).toEqual(['lock a1', 'write ada@example.com']);
    expect(statuses).toEqual([{ accountId: 'a1', contactId: 'c1', reason: 'bounced' }]);
    const data = { email: 'ada@example.com', contactId: 'c1', firstName: 'Ada', diagnosticCode: '550' };
    expect(events).toMatchObject([{ type: 'contact.bounced', accountId: 'a1', data }]);
  });

  it('ignores what is not an address', async () => {
    expect(await service.suppress([bounce('ada')])).toEqual([]);
    expect(await service.suppress([])).toEqual([]);
    expect(statements).toEqual([]);
  });

  it('reports neither an entry nor an event for an address that was suppressed already', async () => {
    kept.add('ada@example.com');
    expect(await service.suppress([bounce('ada@example.com')])).toEqual([]);
    expect(events).toEqual([]);
  });

  it('reports an event, but no entry, for a cause that replaces another', async () => {
    replaced.set('ada@example.com', { reason: 'unsubscribed', source: 'form' });
    expect(await service.suppress([bounce('ada@example.com')])).toEqual([]);
    expect(events).toMatchObject([{ type: 'contact.bounced' }]);
  });

  it('reports what an operator suppressed for the same reason, but not the same report of another message', async () => {
    replaced.set('ada@example.com', { reason: 'bounced', source: 'import' });
    replaced.set('bob@example.com', { reason: 'bounced', source: 'provider' });
    await service.suppress([bounce('ada@example.com'), bounce('bob@example.com')]);
    expect(events).toMatchObject([{ type: 'contact.bounced', data: { email: 'ada@example.com' } }]);
  });

  const unsubscription = (address: string): AddressToSuppress => ({
    ...{ accountId: 'a1', channel: 'email', address, reason: 'unsubscribed', source: 'one_click', messageLogId: 'm1' },
  });

  it('withdraws the consent of those who unsubscribe, also if a bounce has suppressed the address already', async () => {
    kept.add('bob@example.com');
    await service.suppress([unsubscription('Ada@example.com'), unsubscription('bob@example.com')]);
    const withdrawal = { accountId: 'a1', channel: 'email', action: 'withdrawn', source: 'one_click' };
    expect(withdrawals).toMatchObject([
      { ...withdrawal, address: 'Ada@example.com', contactId: 'c1', messageLogId: 'm1', actor: { type: 'person' } },
      { ...withdrawal, address: 'bob@example.com', contactId: null },
    ]);
  });

  it('withdraws once for several causes of one address', async () => {
    await service.suppress([unsubscription('ada@example.com'), unsubscription('ADA@example.com')]);
    expect(withdrawals).toHaveLength(1);
  });

  it('withdraws nothing for a bounce or an entry of an operator, and records nothing about erased addresses', async () => {
    erased.add('cyd@example.com');
    const manual = { ...bounce('bob@example.com'), reason: 'manual', source: 'dashboard' } as const;
    await service.suppress([bounce('ada@example.com'), manual, unsubscription('cyd@example.com')]);
    expect(withdrawals).toEqual([]);
  });

  it.each([
    ['email', 'complained', 'provider', 'provider', 'person'],
    ['email', 'unsubscribed', 'form', 'preferences', 'person'],
    ['email', 'unsubscribed', 'import', 'import', 'system'],
    ['sms', 'sms_opt_out', 'provider', 'sms', 'person'],
    ['sms', 'sms_opt_out', 'sms_sync', 'provider', 'system'],
  ] as const)('records who withdrew: %s %s by %s', async (channel, reason, source, consentSource, type) => {
    const address = channel === 'sms' ? '+14155550100' : 'ada@example.com';
    await service.suppress([{ accountId: 'a1', channel, address, reason, source }]);
    expect(withdrawals).toMatchObject([{ channel, source: consentSource, actor: { type } }]);
  });

  it('writes concurrent calls of one account together and gives each its entries', async () => {
    const results = await Promise.all([
      service.suppress([bounce('ada@example.com')]),
      service.suppress([bounce('bob@example.com'), bounce('ada@example.com')]),
      service.suppress([bounce('ada@example.com', 'a2')]),
    ]);
    expect(results.map((added) => added.map(({ accountId, address }) => `${accountId} ${address}`))).toEqual([
      ['a1 ada@example.com'],
      ['a1 bob@example.com'],
      ['a2 ada@example.com'],
    ]);
    expect(statements.filter((text) => text.startsWith('write'))).toEqual([
      'write ada@example.com bob@example.com ada@example.com',
      'write ada@example.com',
    ]);
  });

  it('does not batch calls within a transaction or for several accounts', async () => {
    isRunning = true;
    await Promise.all([service.suppress([bounce('ada@example.com')]), service.suppress([bounce('bob@example.com')])]);
    isRunning = false;
    await service.suppress([bounce('ada@example.com'), bounce('bob@example.com', 'a2')]);
    expect(statements.filter((text) => text.startsWith('lock'))).toEqual(['lock a1', 'lock a1', 'lock a1 a2']);
  });
});
