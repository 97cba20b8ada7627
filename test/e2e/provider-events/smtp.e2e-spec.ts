import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { SMTP_VENDORS, type SmtpVendor } from '../../../src/shared/account-provider.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { ProviderEvents, sample } from '../../support/provider-events.js';
import { KEYS, SIGN, type VendorPost } from '../../support/vendor-posts.js';

const [SENDGRID_BOUNCE] = sample<[object]>('sendgrid/bounce-event.json');
const [SENDGRID_DELIVERED] = sample<[object]>('sendgrid/delivered-event.json');
const mailgun = (name: string) => sample<{ 'event-data': object }>(`mailgun/${name}.json`)['event-data'];
const POSTMARK_BOUNCE = sample('postmark/bounce-event.json');
const RESEND = { created_at: '2026-11-21T07:00:00.000Z', data: { email_id: 're_1', to: ['ada@example.org'] } };

/** The vendor's post about a message with the given id. */
type Event = (id: string) => object;
const TO_VENDOR: Record<SmtpVendor, { delivered: Event; bounced: Event }> = {
  generic: {
    delivered: (messageLogId) => ({ id: 'e1', type: 'delivered', messageLogId, occurredAt: '2026-11-21T07:00:00Z' }),
    bounced: (messageLogId) => [
      { id: 'e2', type: 'bounced', messageLogId, occurredAt: '2026-11-21T07:00:01Z', data: { bounceType: 'hard' } },
    ],
  },
  sendgrid: {
    delivered: (mid) => [{ ...SENDGRID_DELIVERED, mid }],
    bounced: (mid) => [{ ...SENDGRID_BOUNCE, mid }],
  },
  mailgun: {
    delivered: (mid) => ({ 'event-data': { ...mailgun('delivered-event'), 'user-variables': { mid } } }),
    bounced: (mid) => ({ 'event-data': { ...mailgun('failed-permanent-event'), 'user-variables': { mid } } }),
  },
  postmark: {
    delivered: (mid) => ({ ...sample('postmark/delivered-event.json'), Metadata: { mid } }),
    bounced: (mid) => ({ ...POSTMARK_BOUNCE, Metadata: { mid } }),
  },
  resend: {
    delivered: (value) => ({ ...RESEND, type: 'email.delivered', data: withReference(value) }),
    bounced: (value) => ({
      ...RESEND,
      type: 'email.bounced',
      data: { ...withReference(value), bounce: { type: 'Permanent', subType: 'General', message: 'No such user' } },
    }),
  },
};
const withReference = (value: string) => ({ ...RESEND.data, headers: [{ name: 'X-Message-Ref', value }] });

describe('POST /api/provider-events/smtp/:accountId', () => {
  let events: ProviderEvents;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterEach(() => {
    events.service.clock.reset();
  });
  afterAll(() => events.stop());

  async function openAccount(vendor: SmtpVendor, eventSigningKey: string | null = KEYS[vendor]): Promise<TestAccount> {
    const account = await events.service.createAccount();
    const smtp = { host: 'relay.example', port: 587, vendor, eventSigningKey };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    return account;
  }
  const post = async (account: TestAccount, { body, headers }: VendorPost) =>
    (await events.postSmtp(account, body, headers)).status;

  describe.each(SMTP_VENDORS)('of %s', (vendor) => {
    const { delivered, bounced } = TO_VENDOR[vendor];

    it('applies signed events once, in any order', async () => {
      const account = await openAccount(vendor);
      const id = await events.addMessage(account);
      for (const event of [bounced(id), delivered(id), bounced(id)]) {
        const { body, headers } = SIGN[vendor](event);
        const response = await events.postSmtp(account, body, headers);
        expect({ status: response.status, body: await response.json() }).toEqual({
          status: 200,
          body: { stored: true },
        });
      }
      const state = await events.state(account, id);
      expect(state.status).toBe('bounced');
      expect(state.events.map(({ type }) => type).sort()).toEqual(['bounced', 'delivered']);
      expect(state.events.find(({ type }) => type === 'bounced')?.data).toMatchObject({ bounceType: 'hard' });
      expect(await events.suppressions(account)).toEqual([
        { address: 'ada@example.org', reason: 'bounced', source: 'provider', messageLogId: id },
      ]);
      expect((await events.outbox(account)).map(({ type }) => type)).toEqual(['contact.bounced']);
    });

    it('does not restore a lifted suppression for a repeated event', async () => {
      const account = await openAccount(vendor);
      const id = await events.addMessage(account);
      expect(await post(account, SIGN[vendor](bounced(id)))).toBe(200);
      const { body } = await account.asAdmin('get', '/api/suppressions').expect(200);
      await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
      events.service.clock.advance({ seconds: 30 });
      expect(await post(account, SIGN[vendor](bounced(id), events.service.clock.now()))).toBe(200);
      events.service.clock.advance({ seconds: -30 });
      expect(await events.suppressions(account)).toEqual([]);
      expect(await events.outbox(account)).toHaveLength(1);
    });

    it('refuses a post without a valid signature', async () => {
      const account = await openAccount(vendor);
      const other = await openAccount(vendor, null);
      const id = await events.addMessage(account);
      const { body, headers } = SIGN[vendor](bounced(id));
      const refused: VendorPost[] = [
        { body: vendor === 'mailgun' ? JSON.stringify(bounced(id)) : body, headers: {} },
        ...Object.keys(headers).map((name) => ({ body, headers: { ...headers, [name]: `x${headers[name]}` } })),
        ...Object.keys(headers).map((name) => ({ body, headers: { ...headers, [name]: '' } })),
        ...(vendor === 'postmark' ? [] : [SIGN[vendor](bounced(id), new Date(Date.now() - 25 * 3_600_000))]),
        ...(vendor === 'postmark' || vendor === 'mailgun' ? [] : [{ body: body.replace('ounce', 'Ounce'), headers }]),
      ];
      for (const forged of refused) expect(await post(account, forged)).toBe(403);
      expect(await post(other, { body, headers })).toBe(403);
      expect(await events.state(account, id)).toMatchObject({ status: 'sent', events: [] });
      expect(await events.suppressions(account)).toEqual([]);
    });

    it('keeps events of unknown type', async () => {
      const account = await openAccount(vendor);
      const strange = {
        generic: { id: 'e9', type: 'teleported', occurredAt: '2026-11-21T07:00:00Z' },
        sendgrid: [{ ...SENDGRID_BOUNCE, event: 'teleported' }],
        mailgun: { 'event-data': { ...mailgun('delivered-event'), event: 'teleported' } },
        postmark: { ...POSTMARK_BOUNCE, RecordType: 'Teleported' },
        resend: { ...RESEND, type: 'email.teleported' },
      }[vendor];
      for (let i = 0; i < 2; i++) expect(await post(account, SIGN[vendor](strange))).toBe(200);
      expect(await events.unmatched(account)).toMatchObject([
        { type: 'unknown', data: { reportedType: expect.stringMatching(/teleported/i) } },
      ]);
    });

    it('keeps an event about a message of another account, and changes nothing', async () => {
      const [account, other] = [await openAccount(vendor), await openAccount(vendor)];
      const id = await events.addMessage(other);
      expect(await post(account, SIGN[vendor](bounced(id)))).toBe(200);
      expect(await events.state(other, id)).toMatchObject({ status: 'sent', events: [] });
      expect([...(await events.suppressions(account)), ...(await events.suppressions(other))]).toEqual([]);
      expect(await events.unmatched(account)).toMatchObject([{ type: 'bounced' }]);
    });

    it('refuses malformed JSON', async () => {
      const account = await openAccount(vendor);
      const { headers } = SIGN.postmark({});
      const unsigned = await post(account, { body: '{', headers: vendor === 'postmark' ? headers : {} });
      expect(unsigned).toBe(vendor === 'postmark' || vendor === 'mailgun' ? 400 : 403);
    });
  });

  it('accepts a token of Mailgun for one post only', async () => {
    const account = await openAccount('mailgun');
    const [id, another] = [await events.addMessage(account), await events.addMessage(account)];
    const genuine = SIGN.mailgun(TO_VENDOR.mailgun.delivered(id));
    const { signature } = JSON.parse(genuine.body) as { signature: object };
    const replayed = JSON.stringify({ ...TO_VENDOR.mailgun.bounced(another), signature });
    expect(await post(account, genuine)).toBe(200);
    expect(await post(account, genuine)).toBe(200);
    const renamed = JSON.stringify({ ...TO_VENDOR.mailgun.delivered(another), signature });
    for (const body of [replayed, renamed]) expect(await post(account, { body, headers: {} })).toBe(403);
    expect(await events.state(account, another)).toMatchObject({ status: 'sent', events: [] });
  });

  it("suppresses for SendGrid's list and for an unsubscription, but not for a block", async () => {
    const account = await openAccount('sendgrid');
    const entry = async (recipient: string, event: object) => ({
      ...{ email: recipient, timestamp: 1_795_000_000, sg_event_id: recipient, ...event },
      mid: await events.addMessage(account, { recipient }),
    });
    const body = [
      await entry('listed@example.org', { event: 'dropped', reason: 'Bounced Address' }),
      await entry('spam@example.org', { event: 'dropped', reason: 'Spam Reporting Address' }),
      await entry('broken@example.org', { event: 'dropped', reason: 'Invalid SMTPAPI header' }),
      await entry('gone@example.org', { event: 'unsubscribe' }),
      await entry('blocked@example.org', { event: 'bounce', type: 'blocked', reason: '550 blocked' }),
      await entry('reader@example.org', { event: 'open', sg_machine_open: true }),
    ];
    for (let i = 0; i < 2; i++) expect(await post(account, SIGN.sendgrid(body))).toBe(200);
    expect(await events.suppressions(account)).toMatchObject([
      { address: 'gone@example.org', reason: 'unsubscribed' },
      { address: 'listed@example.org', reason: 'bounced' },
      { address: 'spam@example.org', reason: 'complained' },
    ]);
    expect(await events.outbox(account)).toHaveLength(3);
    const states = await Promise.all(body.map(({ mid }) => events.state(account, mid)));
    expect(states.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'sent', 'sent', 'sent']);
    expect(states[5]).toMatchObject({ opens: 0, events: [{ type: 'opened', data: { automated: true } }] });
  });

  it('suppresses the addresses on Postmark’s list, even without a message', async () => {
    const account = await openAccount('postmark');
    const change = {
      RecordType: 'SubscriptionChange',
      MessageID: '00000000-0000-0000-0000-000000000000',
      ChangedAt: '2026-11-21T07:00:00Z',
      Recipient: 'Gone@Example.org',
      SuppressSending: true,
      SuppressionReason: 'ManualSuppression',
      Origin: 'Recipient',
    };
    for (let i = 0; i < 2; i++) expect(await post(account, SIGN.postmark(change))).toBe(200);
    expect(await events.suppressions(account)).toMatchObject([
      { address: 'Gone@Example.org', reason: 'unsubscribed', messageLogId: null },
    ]);
    expect(await events.outbox(account)).toHaveLength(1);
  });

  it.each([
    [{ id: 'e', occurredAt: '2026-11-21' }, 'type is required'],
    [{ type: 'sent', occurredAt: '2026-11-21' }, 'id is required'],
    [{ id: 'e', type: 'sent', occurredAt: '2026-11-21' }, 'messageLogId or providerMessageId is required'],
  ])('refuses %j in the generic format', async (event, message) => {
    const account = await openAccount('generic');
    const { body, headers } = SIGN.generic(event);
    const response = await events.postSmtp(account, body, headers);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: errorBody(400, message),
    });
  });

  it('stores the valid events of an array, and keeps the others as unknown', async () => {
    const account = await openAccount('generic');
    const id = await events.addMessage(account);
    const good = {
      id: 'e1',
      type: 'bounced',
      messageLogId: id,
      occurredAt: '2026-11-21T07:00:00Z',
      data: { bounceType: 'hard' },
    };
    const body = ['sent', null, { ...good, id: 7 }, good, { ...good, id: 'e2', type: undefined }];
    for (let i = 0; i < 2; i++) expect(await post(account, SIGN.generic(body))).toBe(200);
    expect(await events.state(account, id)).toMatchObject({ status: 'bounced', events: [{ type: 'bounced' }] });
    expect(await events.suppressions(account)).toHaveLength(1);
    expect((await events.unmatched(account)).map(({ type }) => type)).toEqual(Array(4).fill('unknown'));
  });

  it.each([undefined, 'someday', '1999-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-11-21 08:00:00+01'])(
    'applies a hard bounce once, with any time: %s',
    async (occurredAt) => {
      const account = await openAccount('generic');
      const id = await events.addMessage(account);
      const bounce = { id: 'e', type: 'bounced', messageLogId: id, occurredAt, data: { bounceType: 'hard' } };
      events.service.clock.freeze();
      const firstReceivedAt = events.service.clock.now().toISOString();
      for (let i = 0; i < 2; i++) {
        expect(await post(account, SIGN.generic(bounce))).toBe(200);
        events.service.clock.advance({ seconds: 1 });
      }
      const { status, events: timeline } = await events.state(account, id);
      expect({ status, timeline }).toMatchObject({ status: 'bounced', timeline: [{ type: 'bounced' }] });
      const [{ occurredAt: at } = { occurredAt: '' }] = timeline as { occurredAt?: string }[];
      expect(at).toBe(occurredAt?.startsWith('2026') ? '2026-11-21T07:00:00.000Z' : firstReceivedAt);
      expect(await events.suppressions(account)).toMatchObject([{ reason: 'bounced' }]);
      expect(await events.outbox(account)).toHaveLength(1);
    },
  );

  it('strips from text what the database cannot store', async () => {
    const account = await openAccount('generic');
    const id = await events.addMessage(account);
    const nested = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as object;
    const data = { bounceType: 'hard', diagnosticCode: 'a\0b\ud800c', nested };
    const event = { id: 'e\0', type: 'bounced', messageLogId: id, occurredAt: '2026-11-21T07:00:00Z', data };
    expect(await post(account, SIGN.generic(event))).toBe(200);
    const { events: timeline } = await events.state(account, id);
    expect(timeline).toMatchObject([{ data: { diagnosticCode: 'ab\ufffdc', bounceType: 'hard' } }]);
  });

  it('refuses a post that is too large, compressed or for an unknown account', async () => {
    const account = await openAccount('generic');
    const large = SIGN.generic({ text: 'x'.repeat(5_000_000) });
    expect(await post(account, large)).toBe(413);
    const { body, headers } = SIGN.generic([]);
    expect(await post(account, { body, headers: { ...headers, 'content-encoding': 'gzip' } })).toBe(415);
    expect((await events.postSmtp({ id: 'c000000000000000000000000' }, body, headers)).status).toBe(404);
    expect(await post(account, { body, headers })).toBe(200);
  });
});
