import { describe, expect, it } from '@jest/globals';

import { suppressionCause } from '../events/provider-event.js';
import { parseSesEvent } from './ses-event.js';

const ID = 'c0123456789abcdefghijklmn';
const mail = { timestamp: '2026-11-21T07:00:00.000Z', messageId: 'ses-1', destination: ['a@b.example'] };
const at = (second: number) => `2026-11-21T07:00:0${second}.000Z`;
const bounce = (details: object) =>
  parseSesEvent({ eventType: 'Bounce', mail, bounce: { timestamp: at(1), feedbackId: 'f', ...details } });

describe('A notification of SES', () => {
  it('becomes one event per recipient, each with its own identity, the same when repeated', () => {
    const details = {
      bounceType: 'Permanent',
      bouncedRecipients: [{ emailAddress: 'a@b.c' }, { emailAddress: 'd@e.f' }],
    };
    const [one, two] = bounce(details);
    expect(one).toMatchObject({ recipient: 'a@b.c', providerMessageId: 'ses-1', messageId: null });
    expect(two?.identity).not.toEqual(one?.identity);
    expect(bounce(details)).toEqual([one, two]);
  });

  it('becomes one event without recipients too', () => {
    expect(bounce({ bounceType: 'Permanent' })).toMatchObject([{ recipient: null, data: { bounceType: 'hard' } }]);
  });

  it.each<[string, (recipients: string[]) => object]>([
    ['destinations', (destination) => ({ eventType: 'Send', mail: { ...mail, destination } })],
    ['recipients', (recipients) => ({ eventType: 'Delivery', mail, delivery: { recipients } })],
    ['bounced recipients', (bouncedRecipients) => ({ eventType: 'Bounce', mail, bounce: { bouncedRecipients } })],
  ])('is refused with very many %s', (_, notification) => {
    const parse = (count: number) => parseSesEvent(notification(Array<string>(count).fill('a@b.example')) as never);
    expect(parse(10_000)).toHaveLength(10_000);
    expect(() => parse(10_001)).toThrow('more than 10000 events');
  });

  it('prefers the message id of the service, if it is valid', () => {
    const named = (message_id: unknown) =>
      parseSesEvent({ eventType: 'Send', mail: { ...mail, tags: { message_id } } });
    expect(named([ID])).toMatchObject([{ messageId: ID }]);
    for (const tag of [['other'], ID, [7], null]) expect(named(tag)).toMatchObject([{ messageId: null }]);
  });

  it('distinguishes two clicks in the same millisecond', () => {
    const click = (link: string) => parseSesEvent({ eventType: 'Click', mail, click: { timestamp: at(1), link } })[0];
    expect(click('https://a.example')?.identity).not.toEqual(click('https://b.example')?.identity);
  });

  it.each([
    [{ bounceType: 'Permanent', bounceSubType: 'General' }, 'bounced'],
    [{ bounceType: 'Permanent', bounceSubType: 'OnAccountSuppressionList' }, 'bounced'],
    [{ bounceType: 'Permanent', bounceSubType: 'UnsubscribedRecipient' }, 'unsubscribed'],
    [{ bounceType: 'Transient', bounceSubType: 'General' }, null],
    [{ bounceType: 'Undetermined' }, null],
    [{}, null],
  ])('with the bounce %j is a reason to suppress: %s', (details, cause) => {
    expect(suppressionCause(bounce(details)[0]!)).toBe(cause);
  });

  it.each(['+275760-09-13T00:00:00Z', 'yesterday', undefined])('is applied with any time: %s', (timestamp) => {
    const notification = { mail: { messageId: 'ses-1' }, bounce: { timestamp, bounceType: 'Permanent' } };
    expect(parseSesEvent({ ...notification, eventType: 'Bounce' })).toMatchObject([
      { type: 'bounced', occurredAt: null, data: { bounceType: 'hard' } },
    ]);
  });

  it.each([
    { eventType: 'Subscription', mail, subscription: { newTopicPreferences: { unsubscribeAll: false } } },
    { notificationType: 'Received', mail },
    {
      eventType: 'Subscription',
      mail,
      subscription: {
        newTopicPreferences: { unsubscribeAll: false, topicSubscriptionStatus: [{ subscriptionStatus: 'OptOut' }] },
      },
    },
    { eventType: 'Bounce', mail: { timestamp: at(1) } },
    { eventType: ['Bounce'], mail },
    {},
  ])('is kept as it is: %j', (notification) => {
    expect(parseSesEvent(notification)).toMatchObject([{ type: 'unknown', data: { reported: notification } }]);
  });
});
