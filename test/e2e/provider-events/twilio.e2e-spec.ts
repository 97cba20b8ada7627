import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MatchEvents } from '../../../src/modules/provider-events/application/match-events.service.js';
import { StoreReply } from '../../../src/modules/provider-events/index.js';
import type { FakeTwilio } from '../../support/fake-twilio/fake-twilio.js';
import { newSid } from '../../support/fake-twilio/message.js';
import { insertMessages } from '../../support/message-rows.js';
import { FROM, RECIPIENT, type TwilioAccount, TwilioFixture } from '../../support/twilio-fixture.js';

describe('POST /api/provider-events/twilio/:accountId', () => {
  let fixture: TwilioFixture;
  let twilio: FakeTwilio;
  let sms: TwilioAccount;

  beforeAll(async () => {
    fixture = await TwilioFixture.start();
    ({ twilio } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    twilio.reset();
    sms = await fixture.open({ twoWay: true });
  });

  const sent = async (of = sms): Promise<{ id: string; sid: string }> => {
    const id = await fixture.send(of.key);
    const { providerMessageId: sid } = await fixture.reaches(of.key, id, 'sent', 1);
    return { id, sid };
  };
  const read = (id: string) => fixture.read(sms.key, id);
  const typesOf = async (id: string) => ((await read(id)).events as { type: string }[]).map(({ type }) => type);
  const taken = async (response: Promise<Response>) => {
    const { status, headers } = await response;
    expect([status, await (await response).text()]).toEqual([200, '<Response/>']);
    expect(headers.get('content-type')).toMatch(/^text\/xml/);
  };
  const refused = async (response: Promise<Response>, status = 403) => {
    expect((await response).status).toBe(status);
  };
  const reply = (body: string, more: object = {}, options: object = {}) =>
    twilio.receive(sms.webhook, { accountSid: sms.accountSid, from: RECIPIENT, to: FROM, body, ...more }, options);
  const stored = () =>
    fixture.service.query<{ sender: string; body: string }>(
      'SELECT sender, body FROM sms_replies WHERE account_id = $1 ORDER BY id',
      [sms.account.id],
    );
  const outbox = () =>
    fixture.service.query<{ type: string; data: Record<string, unknown> }>(
      `SELECT type, data FROM outbox_events WHERE account_id = $1 AND type IN ('sms.inbound', 'contact.suppressed')`,
      [sms.account.id],
    );

  describe('status callbacks', () => {
    it('follow a message until it is delivered', async () => {
      const { id, sid } = await sent();
      for (const status of ['queued', 'sending', 'sent', 'delivered']) await taken(twilio.report(sid, status));
      expect(await read(id)).toMatchObject({ status: 'delivered' });
      expect(await typesOf(id)).toEqual(['sent', 'delivered']);
    });

    it('may come in any order, and again', async () => {
      const { id, sid } = await sent();
      for (const status of ['delivered', 'sent', 'delivered', 'queued', 'sent'])
        await taken(twilio.report(sid, status));
      await Promise.all(Array.from({ length: 5 }, () => taken(twilio.report(sid, 'delivered'))));
      expect(await read(id)).toMatchObject({ status: 'delivered' });
      expect((await typesOf(id)).sort()).toEqual(['delivered', 'sent']);
    });

    it('say why a message failed, and suppress its recipient where that says something about the number', async () => {
      const outcomes = [
        ['30003', 'failed', []],
        ['30005', 'bounced', [{ address: RECIPIENT, reason: 'bounced', source: 'provider' }]],
        ['21610', 'failed', [{ address: RECIPIENT, reason: 'sms_opt_out', source: 'provider' }]],
      ] as const;
      for (const [ErrorCode, status, suppressions] of outcomes) {
        sms = await fixture.open();
        const { id, sid } = await sent();
        await taken(twilio.report(sid, 'undelivered', { ErrorCode }));
        expect(await read(id)).toMatchObject({ status });
        expect(await fixture.suppressions(sms)).toEqual(suppressions);
      }
    });

    it('do not restore a suppression that was lifted when they are replayed', async () => {
      const { sid } = await sent();
      const report = () => taken(twilio.report(sid, 'undelivered', { ErrorCode: '21610' }));
      await report();
      await fixture.service.query('DELETE FROM suppressions WHERE account_id = $1', [sms.account.id]);
      await report();
      expect(await fixture.suppressions(sms)).toEqual([]);
    });

    it('may come before the answer to the send', async () => {
      const early: Promise<void>[] = [];
      twilio.answer = (form) => {
        // While this is awaited, the send has no answer.
        const parameters = { AccountSid: sms.accountSid, MessageSid: 'SM1', MessageStatus: 'delivered', To: RECIPIENT };
        early.push(taken(twilio.post(form.get('StatusCallback')!, parameters)));
        return early[0]!.then(() => undefined);
      };
      const id = await fixture.send(sms.key);
      await fixture.reaches(sms.key, id, 'delivered', 2);
      expect(early).toHaveLength(1);
    });

    it('are matched later if they do not name the message and come before the answer', async () => {
      const [id = ''] = await insertMessages(fixture.service, sms.account.id, [
        { channel: 'sms', recipient: RECIPIENT, status: 'sent' },
      ]);
      const seen = async () => (await sms.account.asMember('get', `/api/messages/${id}`).expect(200)).body;
      const parameters = {
        AccountSid: sms.accountSid,
        MessageSid: 'SMearly',
        MessageStatus: 'delivered',
        To: RECIPIENT,
      };
      await taken(twilio.post(sms.webhook, parameters));
      expect(await seen()).toMatchObject({ status: 'sent', events: [] });
      await fixture.service.query('UPDATE message_logs SET provider_message_id = $2 WHERE id = $1', [id, 'SMearly']);
      fixture.service.clock.advance({ seconds: 10 });
      const matchEvents = fixture.service.app.get(MatchEvents, { strict: false });
      await matchEvents.match(new AbortController().signal, () => undefined);
      expect(await seen()).toMatchObject({ status: 'delivered' });
    });

    it('change nothing of other accounts, whatever message their address names', async () => {
      const { id, sid } = await sent();
      const other = await fixture.open();
      const parameters = { AccountSid: other.accountSid, MessageSid: sid, MessageStatus: 'delivered', To: RECIPIENT };
      await taken(twilio.post(`${other.webhook}?message=${id}`, parameters));
      await refused(twilio.post(`${sms.webhook}?message=${id}`, parameters));
      expect(await read(id)).toMatchObject({ status: 'sent' });
    });
  });

  describe('replies', () => {
    it('are stored once, and reported if the account wants them', async () => {
      const MessageSid = `SM${'a'.repeat(32)}`;
      for (let i = 0; i < 3; i++) await taken(reply('Thanks 🎉', { MessageSid }));
      expect(await stored()).toEqual([{ sender: RECIPIENT, body: 'Thanks 🎉' }]);
      expect(await outbox()).toMatchObject([
        {
          type: 'sms.inbound',
          data: {
            from: RECIPIENT,
            to: FROM,
            body: 'Thanks 🎉',
            providerMessageId: MessageSid,
            previousMessageLogId: null,
          },
        },
      ]);
      expect(await fixture.suppressions(sms)).toEqual([]);
    });

    it('that are a stop word suppress their sender, also without twoWay', async () => {
      sms = await fixture.open();
      await taken(reply('Please stop it'));
      expect(await fixture.suppressions(sms)).toEqual([]);
      await taken(reply(' stop.\n'));
      await taken(reply('Schluss', { from: '+14155550101', OptOutType: 'STOP' }));
      expect(await fixture.suppressions(sms)).toEqual(
        expect.arrayContaining([
          { address: RECIPIENT, reason: 'sms_opt_out', source: 'provider' },
          { address: '+14155550101', reason: 'sms_opt_out', source: 'provider' },
        ]),
      );
      expect((await outbox()).map(({ type }) => type)).toEqual(['contact.suppressed', 'contact.suppressed']);
    });

    it('that the messaging service takes for START open the number again', async () => {
      sms = await fixture.open();
      await taken(reply('Schluss', { OptOutType: 'STOP' }));
      await taken(reply('Dabei'));
      expect(await fixture.suppressions(sms)).toHaveLength(1);
      await taken(reply('Dabei', { OptOutType: 'START' }));
      expect(await fixture.suppressions(sms)).toEqual([]);
    });

    it('open and close a number in the order in which they come, as they have no time, by any clock', async () => {
      await taken(reply('STOP'));
      fixture.service.clock.advance({ seconds: -300 });
      await taken(reply('START'));
      expect(await fixture.suppressions(sms)).toEqual([]);
      fixture.service.clock.advance({ seconds: 600 });
      await taken(reply('STOP'));
      fixture.service.clock.advance({ seconds: -300 });
      await taken(reply('START'));
      expect(await fixture.suppressions(sms)).toEqual([]);
      await taken(reply('STOP'));
      expect(await fixture.suppressions(sms)).toHaveLength(1);
    });

    it('are recognised when they are replayed after their retention, but nothing else of them is kept', async () => {
      const send = (body: string, to = FROM) => {
        const MessageSid = newSid('SM');
        const post = () => taken(reply(body, { MessageSid, to }));
        return { post, MessageSid };
      };
      // The account may have that number later.
      const elsewhere = send('START', '+12065550199');
      const [start, stop, other] = [send('START'), send('STOP'), send('Hello')];
      const age = async () => {
        await fixture.service.query(`UPDATE sms_replies SET received_at = received_at - interval '15 months'`);
        await fixture.service.app.get(StoreReply, { strict: false }).purgeExpired();
      };
      await taken(reply('STOP'));
      for (const { post } of [elsewhere, start, stop, other]) await post();
      await age();
      await start.post();
      expect(await fixture.suppressions(sms)).toHaveLength(1);
      await taken(reply('START'));
      await age();
      await stop.post();
      expect(await fixture.suppressions(sms)).toEqual([]);
      const kept = await fixture.service.query(
        `SELECT provider_message_id AS sid, sender, recipient, body, previous_message_id AS previous, contact_id AS contact
         FROM sms_replies WHERE account_id = $1`,
        [sms.account.id],
      );
      const forgotten = { sender: '', recipient: '', body: null, previous: null, contact: null };
      expect(kept).toHaveLength(5);
      const requests = [elsewhere, start, stop].map(({ MessageSid: sid }) => ({ sid, ...forgotten }));
      expect(kept).toEqual(expect.arrayContaining(requests));
    });

    it('to other numbers of the account at Twilio are not reported', async () => {
      await taken(reply('Hello', { to: '+12065550199' }));
      expect(await outbox()).toEqual([]);
    });

    it('to a messaging service are its own', async () => {
      const messagingServiceSid = `MG${'c'.repeat(32)}`;
      sms = await fixture.open({ twoWay: true, twilio: { messagingServiceSid } });
      await taken(reply('Hello', { to: '+12065550199', MessagingServiceSid: `MG${'d'.repeat(32)}` }));
      expect(await outbox()).toEqual([]);
      await taken(reply('Hello', { to: '+12065550199', MessagingServiceSid: messagingServiceSid }));
      expect(await outbox()).toMatchObject([{ type: 'sms.inbound', data: { to: '+12065550199' } }]);
    });

    it('of other channels are not stored', async () => {
      await taken(reply('STOP', { from: `whatsapp:${RECIPIENT}`, to: `whatsapp:${FROM}` }));
      expect(await stored()).toEqual([]);
      expect(await fixture.suppressions(sms)).toEqual([]);
    });
  });

  describe('forgeries', () => {
    it.each<[string, object]>([
      ['the token of another account', { authToken: 'the token of somebody else' }],
      ['no signature', { signature: '' }],
      ['another status', { forged: { MessageStatus: 'undelivered', ErrorCode: '21610' } }],
      ['another recipient', { forged: { To: '+14155550199' } }],
      ['one more parameter', { forged: { ErrorCode: '21610' } }],
    ])('are refused: %s', async (_, options) => {
      const { id, sid } = await sent();
      await refused(twilio.report(sid, 'undelivered', {}, options));
      expect(await typesOf(id)).toEqual(['sent']);
      expect(await fixture.suppressions(sms)).toEqual([]);
    });

    it('are refused: a genuine callback, posted for another message or account', async () => {
      const [one, two] = [await sent(), await sent()];
      const other = await fixture.open();
      for (const postedTo of [
        `${sms.webhook}?message=${two.id}`,
        `${sms.webhook}?message=${one.id}&message=${two.id}`,
        sms.webhook,
        `${other.webhook}?message=${one.id}`,
      ])
        await refused(twilio.report(one.sid, 'delivered', {}, { postedTo }));
      for (const { id } of [one, two]) expect(await typesOf(id)).toEqual(['sent']);
    });

    it('are refused: a token that was replaced, once the account has another one', async () => {
      const { id, sid } = await sent();
      const twilioSettings = { authToken: 'a new token of the account' };
      await sms.account
        .asAdmin('patch', '/api/settings')
        .send({ sms: { twilio: twilioSettings } })
        .expect(200);
      await refused(twilio.report(sid, 'delivered'));
      await taken(twilio.report(sid, 'delivered', {}, twilioSettings));
      expect(await typesOf(id)).toEqual(['sent', 'delivered']);
    });

    it('are refused: a subaccount that signs with its own token', async () => {
      const { sid } = await sent();
      await refused(
        twilio.report(sid, 'delivered', { AccountSid: `AC${'0'.repeat(32)}` }, { authToken: sms.authToken }),
      );
    });

    it('are refused for an account without Twilio, and for none', async () => {
      const account = await fixture.service.createAccount();
      const parameters = { AccountSid: sms.accountSid, MessageSid: 'SM1', MessageStatus: 'delivered' };
      for (const [id, status] of [
        [account.id, 403],
        ['c0000000000000000000000000', 404],
      ] as const)
        await refused(twilio.post(sms.webhook.replace(sms.account.id, id), parameters), status);
    });
  });

  it('takes nothing that Twilio never posts', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, '']));
    for (const more of [many, { Body: 'a'.repeat(70_000) }]) {
      await refused(twilio.post(sms.webhook, { AccountSid: sms.accountSid, ...more }), 400);
    }
    await refused(twilio.post(sms.webhook, { AccountSid: sms.accountSid, CallSid: 'CA1', CallStatus: 'ringing' }), 400);
    expect(await stored()).toEqual([]);
  });

  it('can go on with callbacks of messages that were sent before the provider changed', async () => {
    const { id, sid } = await sent();
    const sns = { provider: 'sns', region: 'us-east-1', originationNumber: FROM, twoWay: false };
    await sms.account.asAdmin('patch', '/api/settings').send({ sms: sns }).expect(200);
    await taken(twilio.report(sid, 'delivered'));
    expect(await read(id)).toMatchObject({ status: 'delivered' });
  });
});
