import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { suppressionCause } from '../../events/provider-event.js';
import { GenericVendor } from '../../events/generic-vendor.js';
import { MailgunVendor } from './mailgun-vendor.js';
import { PostmarkVendor } from './postmark-vendor.js';
import { ResendVendor } from './resend-vendor.js';
import { SendgridVendor } from './sendgrid-vendor.js';

const ID = 'c0123456789abcdefghijklmn';
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('Standard Webhooks', () => {
  const { secret, headers, rawBody } = JSON.parse(
    readFileSync(new URL('../../../../test/payloads/standard-webhooks-vector.json', import.meta.url), 'utf8'),
  ) as { secret: string; headers: Record<string, string>; rawBody: string };
  const signedAt = new Date(1_614_265_330_000);
  const verify = (changes: { headers?: object; rawBody?: string; key?: string; now?: Date }) =>
    new ResendVendor().verify(
      { headers: { ...headers, ...changes.headers }, body: Buffer.from(changes.rawBody ?? rawBody) },
      changes.key ?? secret,
      changes.now ?? signedAt,
    );

  it('are verified by the documented vector', () => {
    expect(verify({})).toEqual({ singleUseToken: null, reportId: headers['webhook-id'] });
    expect(verify({ now: new Date(signedAt.getTime() + 300_000) })).not.toBeNull();
  });

  it('are refused if anything differs', () => {
    expect(verify({ rawBody: `${rawBody} ` })).toBeNull();
    expect(verify({ key: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAA' })).toBeNull();
    expect(verify({ headers: { 'webhook-id': 'msg_other' } })).toBeNull();
    expect(verify({ headers: { 'webhook-timestamp': '1614265331' } })).toBeNull();
    expect(verify({ headers: { 'webhook-signature': 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' } })).toBeNull();
    expect(verify({ now: new Date(signedAt.getTime() + 301_000) })).toBeNull();
    expect(verify({ now: new Date(signedAt.getTime() - 301_000) })).toBeNull();
  });
});

describe('An event of Mailgun', () => {
  const parse = (event: object) =>
    new MailgunVendor().parse(
      json({ 'event-data': { timestamp: 1_534_110_422.39, recipient: 'a@b.example', ...event } }),
    )[0];

  it.each([
    [{ event: 'accepted' }, 'sent', {}],
    [{ event: 'rejected', recipient: undefined }, 'failed', {}],
    [{ event: 'failed', severity: 'temporary', reason: 'generic' }, 'delayed', {}],
    [{ event: 'failed', severity: 'permanent', reason: 'bounce' }, 'bounced', { bounceType: 'hard' }],
    [{ event: 'failed', reason: 'bounce' }, 'failed', { reason: 'bounce' }],
    [{ event: 'failed', severity: 'permanent', reason: 'old' }, 'failed', { reason: 'old' }],
    [
      { event: 'failed', severity: 'permanent', reason: 'suppress-complaint' },
      'failed',
      { providerSuppression: 'complained' },
    ],
    [
      { event: 'opened', 'client-info': { 'user-agent': 'x', bot: 'apple' } },
      'opened',
      { automated: true, userAgent: 'x' },
    ],
    [
      { event: 'clicked', url: 'https://a.example', ip: '192.0.2.1' },
      'clicked',
      { url: 'https://a.example', ip: '192.0.2.1' },
    ],
    [{ event: 'unsubscribed' }, 'suppressed', { providerSuppression: 'unsubscribed' }],
    [{ event: 'complained' }, 'complained', {}],
    [{ event: 'toString' }, 'unknown', {}],
    [{ event: 'failed', severity: 'permanent', timestamp: 'today' }, 'bounced', { bounceType: 'hard' }],
  ])('%j is %s', (event, type, data) => {
    expect(parse(event)).toMatchObject({ type, data });
  });

  it('is verified by the signature of its account or of the parent account', () => {
    const [now, token, key] = [new Date(), 'a'.repeat(50), 'the signing key of the primary account'];
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
    const verify = (signatures: object) =>
      new MailgunVendor().verify(
        { headers: {}, body: json({ signature: { timestamp, token, ...signatures } }) },
        key,
        now,
      );
    const other = '0'.repeat(64);
    expect(verify({ signature })).toEqual({ singleUseToken: token });
    expect(verify({ signature: other, 'parent-signature': signature })).toEqual({ singleUseToken: token });
    expect(verify({ signature: other, 'parent-signature': other })).toBeNull();
    expect(verify({ signature: other })).toBeNull();
  });

  it('names the message by the variable, otherwise by its Message-ID', () => {
    const message = { headers: { 'message-id': `${ID}@shop.example` } };
    expect(parse({ event: 'delivered', message, 'user-variables': { mid: ID } })).toMatchObject({ messageId: ID });
    expect(parse({ event: 'delivered', message, 'user-variables': { mid: 'other' } })).toMatchObject({
      messageId: null,
      providerMessageId: `${ID}@shop.example`,
    });
  });
});

describe('An event of Postmark', () => {
  const parse = (record: object) =>
    new PostmarkVendor().parse(json({ MessageID: 'm', BouncedAt: '2016-04-27T16:28:50.3963933-04:00', ...record }))[0];

  it.each([
    [{ RecordType: 'Bounce', Type: 'SoftBounce' }, 'bounced', { bounceType: 'soft' }],
    [{ RecordType: 'Bounce', Type: 'SoftBounce', Inactive: true }, 'bounced', { bounceType: 'hard' }],
    [{ RecordType: 'Bounce', Type: 'BadEmailAddress' }, 'bounced', { bounceType: 'hard' }],
    [{ RecordType: 'Bounce', Type: 'SpamComplaint' }, 'complained', {}],
    [{ RecordType: 'Bounce', Type: 'ManuallyDeactivated' }, 'suppressed', { providerSuppression: 'manual' }],
    [{ RecordType: 'Bounce', Type: 'AutoResponder' }, 'unknown', {}],
    [{ RecordType: 'Bounce', Type: 'TemplateRenderingFailed' }, 'failed', {}],
    [{ RecordType: 'SpamComplaint' }, 'complained', {}],
    [{ RecordType: 'Open', Geo: { IP: '192.0.2.1' } }, 'opened', { ip: '192.0.2.1' }],
    [{ RecordType: 'Click', OriginalLink: 'https://a.example' }, 'clicked', { url: 'https://a.example' }],
    [{ RecordType: 'SubscriptionChange', SuppressSending: false }, 'unknown', {}],
    [
      { RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason: 'HardBounce' },
      'suppressed',
      { providerSuppression: 'bounced' },
    ],
  ])('%j is %s', (record, type, data) => {
    expect(parse(record)).toMatchObject({ type, data, occurredAt: new Date('2016-04-27T20:28:50.396Z') });
  });
});

it("finds the message id in Postmark's metadata with a key in any case", () => {
  const record = { RecordType: 'Delivery', DeliveredAt: '2026-11-21T07:00:00Z', Metadata: { Mid: ID } };
  expect(new PostmarkVendor().parse(json(record))).toMatchObject([{ messageId: ID, type: 'delivered' }]);
});

describe('An event of Resend', () => {
  const parse = (type: string, data: object = {}) =>
    new ResendVendor().parse(
      json({ type, created_at: '2026-11-21T07:00:00Z', data: { to: ['a@b.example'], ...data } }),
    )[0];

  it.each([
    ['email.sent', {}, 'sent', {}],
    ['email.delivery_delayed', {}, 'delayed', {}],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', message: 'No' } },
      'bounced',
      { bounceType: 'hard', diagnosticCode: 'No' },
    ],
    [
      'email.bounced',
      { bounce: { type: 'Transient', diagnosticCode: ['a', 'b'] } },
      'bounced',
      { bounceType: 'soft', diagnosticCode: 'a; b' },
    ],
    ['email.bounced', { bounce: { type: 'permanent' } }, 'bounced', { bounceType: 'hard' }],
    ['email.bounced', { bounce: { type: 'Undetermined' } }, 'bounced', { bounceType: 'soft' }],
    ['email.bounced', { bounce: { type: 'New' } }, 'bounced', { bounceType: 'soft' }],
    ['email.bounced', {}, 'bounced', { bounceType: 'soft' }],
    ['email.suppressed', {}, 'failed', { providerSuppression: 'bounced' }],
    [
      'email.clicked',
      { click: { link: 'https://a.example', ipAddress: '192.0.2.1' } },
      'clicked',
      { url: 'https://a.example', ip: '192.0.2.1' },
    ],
    ['contact.created', {}, 'unknown', {}],
  ])('%s %j is %s', (name, mail, type, data) => {
    expect(parse(name, mail)).toMatchObject({ type, data, recipient: 'a@b.example' });
  });
});

describe('An event of SendGrid', () => {
  const parse = (entry: object) => [...new SendgridVendor().parse(json([{ timestamp: 1_461_095_250, ...entry }]))][0];

  it.each([
    [{ event: 'processed' }, 'sent', {}],
    [{ event: 'deferred', response: '450 later' }, 'delayed', { smtpResponse: '450 later' }],
    [{ event: 'bounce', type: 'bounce' }, 'bounced', { bounceType: 'hard' }],
    [{ event: 'bounce', type: 'Bounce' }, 'bounced', { bounceType: 'hard' }],
    [{ event: 'bounce', type: 'blocked' }, 'bounced', { bounceType: 'soft' }],
    [{ event: 'bounce', type: 'expired' }, 'bounced', { bounceType: 'soft' }],
    [{ event: 'bounce', type: 'new' }, 'bounced', { bounceType: 'soft' }],
    [{ event: 'bounce' }, 'bounced', { bounceType: 'soft' }],
    [{ event: 'dropped', reason: 'BOUNCED address' }, 'failed', { providerSuppression: 'bounced' }],
    [{ event: 'dropped', reason: 'invalid' }, 'failed', { providerSuppression: 'bounced' }],
    [{ event: 'dropped', reason: 'spam reporting address' }, 'failed', { providerSuppression: 'complained' }],
    [{ event: 'dropped', reason: 'Unsubscribed Address' }, 'failed', { providerSuppression: 'unsubscribed' }],
    [{ event: 'group_unsubscribe' }, 'suppressed', { providerSuppression: 'unsubscribed' }],
    [{ event: 'group_resubscribe' }, 'unknown', {}],
    [
      { event: 'click', url: 'https://a.example', useragent: 'x' },
      'clicked',
      { url: 'https://a.example', userAgent: 'x' },
    ],
  ])('%j is %s', (entry, type, data) => {
    expect(parse(entry)).toMatchObject({ type, data });
  });

  it('is identified by its own id, not by a custom argument', () => {
    expect(parse({ event: 'open', sg_event_id: 'e', mid: ID })).toMatchObject({ identity: ['e'], messageId: ID });
    expect(parse({ event: 'open', mid: { a: 1 } })).toMatchObject({ messageId: null });
  });
});

describe('An event in the generic format', () => {
  const parse = (event: object) =>
    [
      ...new GenericVendor().parse(json({ id: 'e', messageLogId: ID, occurredAt: '2026-11-21T07:00:00Z', ...event })),
    ][0];

  it.each([
    ['hard', 'hard'],
    ['Hard', 'hard'],
    ['PERMANENT', 'hard'],
    ['soft', 'soft'],
    ['Soft', 'soft'],
    ['Transient', 'soft'],
    ['undetermined', 'soft'],
    ['hardly', 'soft'],
    [7, 'soft'],
    [null, 'soft'],
    [undefined, 'soft'],
  ])('is a bounce of type %j: %s', (bounceType, kind) => {
    const event = parse({ type: 'bounced', data: { bounceType, code: 4 } })!;
    expect(event.data).toEqual({ bounceType: kind, code: 4 });
    expect(suppressionCause(event)).toBe(kind === 'hard' ? 'bounced' : null);
  });

  it('is a soft bounce by default', () => {
    expect(parse({ type: 'bounced' })?.data).toEqual({ bounceType: 'soft' });
  });

  it('suppresses by its type only', () => {
    const event = parse({ type: 'delivered', data: { providerSuppression: 'complained', code: 4 } });
    expect(event?.data).toEqual({ code: 4 });
  });

  it.each(['someday', '1999-01-01T00:00:00Z', '9999-12-31T00:00:00Z', undefined])(
    'has no time if that is implausible: %s',
    (occurredAt) => {
      expect(parse({ type: 'bounced', occurredAt })).toMatchObject({
        type: 'bounced',
        occurredAt: null,
        identity: ['e'],
      });
    },
  );

  it('is kept as unknown if it is one of several and incomplete', () => {
    const whole = { id: 'e', type: 'sent', messageLogId: ID };
    const entries = [7, null, {}, { type: 'bounced', messageLogId: ID }, { id: 'e', type: 'sent' }, whole];
    const types = [...new GenericVendor().parse(json(entries))].map(({ type }) => type);
    expect(types).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'sent']);
  });

  it('may name the message by the provider id', () => {
    const event = parse({ type: 'opened', messageLogId: undefined, providerMessageId: 'p' });
    expect(event).toMatchObject({ messageId: null, providerMessageId: 'p', identity: ['e'] });
  });
});

describe('The identity of an event', () => {
  const at = (time: string) => ({ id: 'e', event: 'opened', timestamp: Date.parse(time) / 1_000, created_at: time });
  const identity = {
    generic: (time: string) =>
      new GenericVendor().parse(json({ id: 'e', type: 'opened', messageLogId: ID, occurredAt: time })),
    sendgrid: (time: string) => new SendgridVendor().parse(json([{ ...at(time), event: 'open', sg_event_id: 'e' }])),
    mailgun: (time: string) => new MailgunVendor().parse(json({ 'event-data': at(time) })),
    postmark: (time: string) =>
      new PostmarkVendor().parse(json({ RecordType: 'SpamComplaint', ID: 4, BouncedAt: time })),
    resend: (time: string) =>
      new ResendVendor().parse(json({ ...at(time), type: 'email.opened' }), {
        singleUseToken: null,
        reportId: 'msg_1',
      }),
    'resend, of what happens once': (time: string) =>
      new ResendVendor().parse(json({ ...at(time), type: 'email.delivered', data: { email_id: 'm' } })),
  };

  it.each(Object.entries(identity))('is its id only, and not the time: %s', (_, parse) => {
    const [[one], [other]] = [parse('2026-11-21T07:00:00Z'), parse('2026-11-21T07:00:09Z')];
    expect(one?.identity).toEqual(other?.identity);
    expect(one?.identity.join('')).not.toBe('');
    expect(one?.occurredAt).not.toEqual(other?.occurredAt);
  });

  it('includes the time if there is no id', () => {
    const parse = (time: string) =>
      new PostmarkVendor().parse(json({ RecordType: 'Open', MessageID: 'm', ReceivedAt: time }))[0]?.identity;
    expect(parse('2026-11-21T07:00:00Z')).toEqual(parse('2026-11-21 08:00:00+0100'));
    expect(parse('2026-11-21T07:00:00Z')).not.toEqual(parse('2026-11-21T07:00:01Z'));
  });
});
