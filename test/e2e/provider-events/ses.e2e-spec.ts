import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MatchEvents } from '../../../src/modules/provider-events/application/match-events.service.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { ProviderEvents, sample, samplesOf } from '../../support/provider-events.js';

interface Notification {
  mail: { messageId: string; tags?: Record<string, string[]> };
}

/** The effect of each sample on its message. */
const EFFECTS: Record<string, { types: string[]; status: string; reason?: string }> = {
  'event-publishing-send-record.json': { types: ['sent'], status: 'sent' },
  'event-publishing-delivery-record.json': { types: ['delivered'], status: 'delivered' },
  'event-publishing-bounce-record.json': { types: ['bounced'], status: 'bounced', reason: 'bounced' },
  'event-publishing-complaint-record.json': { types: ['complained'], status: 'complained', reason: 'complained' },
  'event-publishing-reject-record.json': { types: ['failed'], status: 'failed' },
  'event-publishing-rendering-failure-record.json': { types: ['failed'], status: 'failed' },
  'event-publishing-deliverydelay-record.json': { types: ['delayed'], status: 'sent' },
  'event-publishing-open-record.json': { types: ['opened'], status: 'sent' },
  'event-publishing-click-record.json': { types: ['clicked'], status: 'sent' },
  'event-publishing-subscription-record.json': { types: [], status: 'sent', reason: 'unsubscribed' },
  'feedback-notification-amazon-sns-delivery-notification-example.json': { types: ['delivered'], status: 'delivered' },
  'feedback-notification-bounce-notification-with-a-dsn.json': {
    types: ['bounced'],
    status: 'bounced',
    reason: 'bounced',
  },
  'feedback-notification-bounce-notification-without-a-dsn.json': {
    types: ['bounced', 'bounced'],
    status: 'bounced',
    reason: 'bounced',
  },
  'feedback-notification-complaint-notification-with-a-feedback-report.json': {
    types: ['complained'],
    status: 'complained',
    reason: 'complained',
  },
  'feedback-notification-complaint-notification-without-a-feedback-report.json': {
    types: ['complained'],
    status: 'complained',
    reason: 'complained',
  },
};
const OUTBOX: Record<string, string> = {
  bounced: 'contact.bounced',
  complained: 'contact.complained',
  unsubscribed: 'contact.unsubscribed',
};
const BOUNCE = 'ses/event-publishing-bounce-record.json';

describe('POST /api/provider-events/ses/:accountId', () => {
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    events.aws.reset();
    account = await events.openAccount();
  });

  const types = ({ events: timeline }: { events: { type: string }[] }) => timeline.map(({ type }) => type);

  it('covers every sample', () => {
    expect(Object.keys(EFFECTS).sort()).toEqual(samplesOf('ses').sort());
  });

  it.each(Object.entries(EFFECTS))('applies %s once, by the message id or by that of SES', async (name, effect) => {
    const notification = sample<Notification>(`ses/${name}`);
    const byTheirs = await events.addMessage(account, { providerMessageId: notification.mail.messageId });
    const byOurs = await events.addMessage(account, { recipient: 'grace@example.org' });
    const tagged = { ...notification.mail.tags, message_id: [byOurs], account_id: [account.id] };
    const ours = { ...notification, mail: { ...notification.mail, tags: tagged } };
    for (const signatureVersion of ['1', '2'] as const) {
      expect(await events.postSes(account, notification, { signatureVersion })).toEqual({
        status: 200,
        body: '{"stored":true}',
      });
      expect((await events.postSes(account, ours, { signatureVersion })).status).toBe(200);
    }
    for (const id of [byTheirs, byOurs]) {
      const state = await events.state(account, id);
      expect(types(state)).toEqual(effect.types);
      expect(state).toMatchObject({
        status: effect.status,
        opens: effect.types[0] === 'opened' ? 1 : 0,
        clicks: effect.types[0] === 'clicked' ? 1 : 0,
      });
    }
    const suppressed = { reason: effect.reason, source: 'provider' };
    const entries = effect.reason
      ? [
          { ...suppressed, address: 'ada@example.org', messageLogId: byTheirs },
          { ...suppressed, address: 'grace@example.org', messageLogId: byOurs },
        ]
      : [];
    expect(await events.suppressions(account)).toEqual(entries);
    expect((await events.outbox(account)).map(({ type }) => type)).toEqual(entries.map(() => OUTBOX[effect.reason!]));
    expect(await events.unmatched(account)).toEqual([]);
  });

  it('shows the details on the timeline and writes the cause to the outbox', async () => {
    const id = await events.addMessage(account, { providerMessageId: sample<Notification>(BOUNCE).mail.messageId });
    await events.postSes(account, sample(BOUNCE));
    expect((await events.state(account, id)).events).toEqual([
      {
        id: expect.any(String),
        messageLogId: id,
        type: 'bounced',
        occurredAt: '2017-08-05T00:41:02.669Z',
        recipient: 'recipient@example.com',
        data: {
          bounceType: 'hard',
          bounceSubType: 'General',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          status: '5.1.1',
          action: 'failed',
          reportingMta: 'dsn; mta.example.com',
        },
      },
    ]);
    expect(await events.outbox(account)).toMatchObject([
      {
        type: 'contact.bounced',
        data: { email: 'ada@example.org', messageLogId: id, diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
      },
    ]);
  });

  it('recognises a bounce that is reported in both formats', async () => {
    const { mail, bounce } = sample<Notification & { bounce: object }>(BOUNCE);
    const id = await events.addMessage(account, { providerMessageId: mail.messageId });
    await events.postSes(account, sample(BOUNCE));
    await events.postSes(account, { notificationType: 'Bounce', mail, bounce });
    expect(types(await events.state(account, id))).toEqual(['bounced']);
  });

  it.each([
    ['a soft bounce', { eventType: 'Bounce', bounce: { bounceType: 'Transient', bounceSubType: 'MailboxFull' } }],
    ['a bounce of unknown kind', { eventType: 'Bounce', bounce: { bounceType: 'Undetermined' } }],
    ['a report that it is not spam', { eventType: 'Complaint', complaint: { complaintFeedbackType: 'not-spam' } }],
  ])('neither suppresses nor changes the status for %s', async (_, notification) => {
    const { mail } = sample<Notification>(BOUNCE);
    const id = await events.addMessage(account, { providerMessageId: mail.messageId });
    await events.postSes(account, { ...notification, mail });
    expect(await events.state(account, id)).toMatchObject({ status: 'sent', events: [{}] });
    expect(await events.suppressions(account)).toEqual([]);
    expect(await events.outbox(account)).toEqual([]);
  });

  it.each(['Permanent', 'Transient'])(
    'never moves a status back (%s bounce before the delivery)',
    async (bounceType) => {
      const { mail } = sample<Notification>(BOUNCE);
      const id = await events.addMessage(account, { providerMessageId: mail.messageId });
      const at = (second: number) => ({ timestamp: `2017-08-05T00:41:0${second}.000Z` });
      await events.postSes(account, { eventType: 'Bounce', mail, bounce: { bounceType, ...at(2) } });
      await events.postSes(account, {
        eventType: 'Delivery',
        mail,
        delivery: { recipients: ['a@b.example'], ...at(1) },
      });
      await events.postSes(account, { eventType: 'Send', mail, send: {} });
      const { status, events: timeline } = await events.state(account, id);
      expect(status).toBe(bounceType === 'Permanent' ? 'bounced' : 'delivered');
      expect(timeline.map(({ type }) => type)).toEqual(['sent', 'delivered', 'bounced']);
    },
  );

  it('records only the submission as sent, not the echo of it', async () => {
    const notification = sample<Notification>('ses/event-publishing-send-record.json');
    const id = await events.addMessage(account, { providerMessageId: notification.mail.messageId });
    const sentAt = '2026-11-21T07:00:00.123Z';
    await events.service.query('UPDATE message_logs SET sent_at = $2 WHERE id = $1', [id, sentAt]);
    await events.service.query(
      `INSERT INTO email_events (message_id, id, type, occurred_at, data) VALUES ($1, $2, 'sent', $3, '{"attempt": 1}')`,
      [id, newId(new Date(sentAt)), sentAt],
    );
    await events.postSes(account, notification);
    expect(await events.state(account, id)).toMatchObject({ events: [{ type: 'sent', data: { attempt: 1 } }] });
  });

  it.each([
    ['then', [0, 1, 2], ['contact.unsubscribed', 'contact.bounced', 'contact.complained']],
    ['and the other way round', [2, 1, 0], ['contact.complained']],
    ['and in between', [1, 2, 0], ['contact.bounced', 'contact.complained']],
  ])(
    'keeps the most serious cause, whichever is reported first, and emits each more serious one: %s',
    async (_, order, emitted) => {
      const { mail } = sample<Notification>(BOUNCE);
      const id = await events.addMessage(account, { providerMessageId: mail.messageId });
      await events.addMessage(account, { providerMessageId: 'a later message' });
      const causes = ['subscription', 'bounce', 'complaint'].map((name) => ({
        ...sample<Notification>(`ses/event-publishing-${name}-record.json`),
        mail,
      }));
      for (const i of order) {
        await events.postSes(account, causes[i]!);
        await events.postSes(account, { ...causes[i]!, mail: { ...mail, messageId: 'a later message' } });
      }
      expect(await events.suppressions(account)).toEqual([
        { address: 'ada@example.org', reason: 'complained', source: 'provider', messageLogId: id },
      ]);
      expect((await events.outbox(account)).map(({ type }) => type)).toEqual(emitted);
    },
  );

  it('keeps an event of unknown type once', async () => {
    const notification = { eventType: 'Teleported', mail: sample<Notification>(BOUNCE).mail, teleport: { to: '\0' } };
    const before = await events.counted('ses', 'unknown');
    for (let i = 0; i < 2; i++) expect((await events.postSes(account, notification)).status).toBe(200);
    expect(await events.unmatched(account)).toEqual([
      { type: 'unknown', data: { reportedType: 'Teleported', reported: { ...notification, teleport: { to: '' } } } },
    ]);
    events.service.clock.advance({ days: 29 });
    await events.service.app.get(MatchEvents, { strict: false }).purgeExpired();
    expect(await events.unmatched(account)).toHaveLength(1);
    events.service.clock.advance({ days: 2 });
    await events.service.app.get(MatchEvents, { strict: false }).purgeExpired();
    expect(await events.unmatched(account)).toEqual([]);
    events.service.clock.advance({ days: -31 });
    expect((await events.postSes(account, {})).status).toBe(200);
    expect((await events.postSes(account, { eventType: 'constructor' })).status).toBe(200);
    expect(await events.counted('ses', 'unknown')).toBe(before + 4);
  });

  it('keeps and counts an event about a message of another account, and changes nothing', async () => {
    const other = await events.openAccount();
    const { mail } = sample<Notification>(BOUNCE);
    const theirs = await events.addMessage(other, { providerMessageId: mail.messageId });
    const before = await events.counted('ses', 'unmatched');
    const tagged = { ...sample<Notification>(BOUNCE), mail: { ...mail, tags: { message_id: [theirs] } } };
    expect((await events.postSes(account, sample(BOUNCE))).status).toBe(200);
    expect((await events.postSes(account, tagged)).status).toBe(200);
    expect(await events.state(other, theirs)).toMatchObject({ status: 'sent', events: [] });
    expect([...(await events.suppressions(other)), ...(await events.suppressions(account))]).toEqual([]);
    expect(await events.counted('ses', 'unmatched')).toBe(before + 2);
  });

  it('accepts the message that SES publishes when the topic is attached', async () => {
    const { Message, Subject } = sample<{ Message: string; Subject: string }>(
      'sns/http-Notification-ses-setup-message.json',
    );
    expect((await events.postSes(account, Message, { subject: Subject })).status).toBe(200);
    expect(await events.unmatched(account)).toEqual([]);
  });

  it('confirms a subscription, and follows no URL when one ends', async () => {
    expect((await events.postSes(account, '', { type: 'SubscriptionConfirmation' })).status).toBe(200);
    expect((await events.postSes(account, '', { type: 'UnsubscribeConfirmation' })).status).toBe(200);
    expect(events.aws.subscriptions().map(({ confirmed }) => confirmed)).toEqual([true, false]);
  });

  it('makes SNS retry if the confirmation fails', async () => {
    events.aws.answer = ({ operation }) =>
      operation === 'ConfirmSubscription' ? { status: 500, error: 'InternalError', message: 'Oops' } : undefined;
    expect((await events.postSes(account, '', { type: 'SubscriptionConfirmation' })).status).toBe(503);
  });

  it('answers 404 for an account that does not exist', async () => {
    expect((await events.postSes({ id: 'c000000000000000000000000' }, 'm')).status).toBe(404);
    expect((await events.postSes({ id: 'nonsense' }, 'm')).status).toBe(404);
  });
});
