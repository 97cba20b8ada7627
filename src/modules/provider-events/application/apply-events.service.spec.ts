import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../shared/ports/clock.js';
import type {
  FoundMessage,
  MessageReference,
  RecordedEvent,
  ReportedEvent,
  ReportedMessage,
} from '../../messages/index.js';
import type { AddressToSuppress, SuppressAddresses } from '../../suppression/index.js';
import type { AccountEvent } from './account-event.js';
import { ApplyEvents } from './apply-events.service.js';
import { type Occurrence, type SeenReport, SeenReports } from './ports/seen-reports.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const MESSAGE: ReportedMessage = { id: 'm', recipient: 'ada@example.com', contactId: 'k', campaignId: null };
const BOUNCE: AccountEvent = {
  accountId: 'a',
  channel: 'email',
  provider: 'ses',
  id: 'bounce',
  type: 'bounced',
  messageId: 'm',
  providerMessageId: 'p',
  occurredAt: NOW,
  recipient: 'forwarded@example.com',
  data: { bounceType: 'hard', diagnosticCode: '550 no such user' },
};
const NOTICE: AccountEvent = {
  ...BOUNCE,
  id: 'notice',
  type: 'suppressed',
  data: { providerSuppression: 'unsubscribed' },
};

class FixedClock extends Clock {
  now(): Date {
    return NOW;
  }
}

class FakeSeenReports extends SeenReports {
  private readonly keys = new Set<string>();

  add(reports: readonly SeenReport[]): Promise<Occurrence[]> {
    return Promise.resolve(
      reports.map(({ key }) => {
        if (this.keys.has(key)) return 'repeated';
        this.keys.add(key);
        return 'first';
      }),
    );
  }

  expireAcrossAccounts(): Promise<void> {
    return Promise.resolve();
  }
}

/** The service over a timeline with these outcomes. */
function setUp(recorded: RecordedEvent['outcome'] = 'recorded', found: FoundMessage['outcome'] = 'found') {
  const suppressed: AddressToSuppress[] = [];
  const onTimeline: ReportedEvent[] = [];
  const timelines = {
    record: (events: readonly ReportedEvent[]): Promise<RecordedEvent[]> => {
      onTimeline.push(...events);
      const message = recorded === 'recorded' || recorded === 'known' ? MESSAGE : null;
      return Promise.resolve(events.map(() => ({ outcome: recorded, message })));
    },
    find: (references: readonly MessageReference[]): Promise<FoundMessage[]> =>
      Promise.resolve(references.map(() => ({ outcome: found, message: found === 'found' ? MESSAGE : null }))),
    recordVisitsAcrossAccounts: () => Promise.reject(new Error('Provider events are not visits')),
  };
  const suppressions = {
    suppress: (addresses: readonly AddressToSuppress[]) => Promise.resolve(void suppressed.push(...addresses)),
  };
  const service = new ApplyEvents(
    timelines,
    new FakeSeenReports(),
    suppressions as unknown as SuppressAddresses,
    new FixedClock(),
  );
  return { service, suppressed, onTimeline };
}

describe('ApplyEvents', () => {
  it('records an event on the timeline and suppresses the recipient of the message', async () => {
    const { service, suppressed, onTimeline } = setUp();
    expect(await service.apply([BOUNCE])).toEqual([{ outcome: 'recorded', mayMatch: false }]);
    expect(onTimeline).toMatchObject([{ key: 'bounce', type: 'bounced', messageId: 'm' }]);
    expect(suppressed).toEqual([
      {
        accountId: 'a',
        channel: 'email',
        address: 'ada@example.com',
        reason: 'bounced',
        source: 'provider',
        messageLogId: 'm',
        contactId: 'k',
        campaignId: null,
        diagnosticCode: '550 no such user',
        feedbackType: null,
      },
    ]);
  });

  it.each([
    ['a soft bounce', { ...BOUNCE, data: { bounceType: 'soft' } }],
    ['a delivery', { ...BOUNCE, type: 'delivered' as const, data: {} }],
    ['a not-spam report', { ...BOUNCE, type: 'complained' as const, data: { feedbackType: 'not-spam' } }],
  ])('suppresses nobody for %s', async (_, event) => {
    const { service, suppressed } = setUp();
    expect(await service.apply([event])).toEqual([{ outcome: 'recorded', mayMatch: false }]);
    expect(suppressed).toEqual([]);
  });

  it('changes nothing for an event that is known', async () => {
    const { service, suppressed } = setUp('known');
    expect(await service.apply([BOUNCE])).toEqual([{ outcome: 'known', mayMatch: false }]);
    expect(suppressed).toEqual([]);
  });

  it('returns unknown for an event of unknown type, and does not look for its message', async () => {
    const { service, onTimeline } = setUp();
    expect(await service.apply([{ ...BOUNCE, type: 'unknown' }])).toEqual([{ outcome: 'unknown', mayMatch: false }]);
    expect(onTimeline).toEqual([]);
  });

  it('keeps the order of the events', async () => {
    const { service } = setUp();
    const results = await service.apply([{ ...BOUNCE, type: 'unknown' }, BOUNCE, NOTICE]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['unknown', 'recorded', 'recorded']);
  });

  describe('for a suppression notice', () => {
    it('suppresses once, whatever the number of reports', async () => {
      const { service, suppressed, onTimeline } = setUp();
      expect(await service.apply([NOTICE])).toEqual([{ outcome: 'recorded', mayMatch: false }]);
      expect(await service.apply([NOTICE])).toEqual([{ outcome: 'known', mayMatch: false }]);
      expect(suppressed).toMatchObject([{ address: 'ada@example.com', reason: 'unsubscribed' }]);
      expect(onTimeline).toEqual([]);
    });

    it('needs no message', async () => {
      const { service, suppressed } = setUp('recorded', 'unmatched');
      const notice = { ...NOTICE, messageId: null, providerMessageId: null };
      expect(await service.apply([notice])).toEqual([{ outcome: 'recorded', mayMatch: false }]);
      expect(suppressed).toMatchObject([{ address: 'forwarded@example.com', messageLogId: null }]);
    });
  });

  describe('for an event without message', () => {
    it('suppresses the reported recipient if the event names the message by the id of the service', async () => {
      const { service, suppressed } = setUp('unmatched');
      expect(await service.apply([BOUNCE])).toEqual([{ outcome: 'unmatched', mayMatch: true }]);
      expect(suppressed).toMatchObject([{ address: 'forwarded@example.com', reason: 'bounced' }]);
    });

    it('waits for a provider id to become known, and suppresses once the event is overdue', async () => {
      const { service, suppressed } = setUp('unmatched');
      const event = { ...BOUNCE, messageId: null };
      expect(await service.apply([event])).toEqual([{ outcome: 'unmatched', mayMatch: true }]);
      expect(suppressed).toEqual([]);
      await service.apply([{ ...event, isOverdue: true }]);
      expect(suppressed).toHaveLength(1);
    });

    it('does not match later if it has no provider id', async () => {
      const { service } = setUp('unmatched');
      expect(await service.apply([{ ...BOUNCE, providerMessageId: null }])).toEqual([
        { outcome: 'unmatched', mayMatch: false },
      ]);
    });

    it.each([
      ['no recipient', { recipient: null }],
      ['a recipient that is no email address', { recipient: 'postmaster' }],
      ['a phone number for email', { recipient: '+14155550100' }],
      ['an email address for SMS', { channel: 'sms' as const, recipient: 'ada@example.com' }],
    ])('suppresses nobody for %s', async (_, changes) => {
      const { service, suppressed } = setUp('unmatched');
      await service.apply([{ ...BOUNCE, ...changes }]);
      expect(suppressed).toEqual([]);
    });
  });

  describe('for a message of another account', () => {
    it('changes nothing if the report names the other account', async () => {
      const { service, suppressed, onTimeline } = setUp();
      expect(await service.apply([{ ...BOUNCE, ownerId: 'b' }])).toEqual([{ outcome: 'unmatched', mayMatch: false }]);
      expect([suppressed, onTimeline]).toEqual([[], []]);
    });

    it('may match its own message later if only the provider id named the other one', async () => {
      const { service, suppressed } = setUp('foreign');
      expect(await service.apply([{ ...BOUNCE, messageId: null }])).toEqual([{ outcome: 'unmatched', mayMatch: true }]);
      expect(await service.apply([BOUNCE])).toEqual([{ outcome: 'unmatched', mayMatch: false }]);
      expect(suppressed).toEqual([]);
    });
  });
});
