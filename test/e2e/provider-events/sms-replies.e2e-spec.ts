import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { StoreReply } from '../../../src/modules/provider-events/application/store-reply.service.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import type { PostOptions } from '../../support/fake-aws/sns-post.js';
import { insertMessages } from '../../support/message-rows.js';
import type { ProviderEvents } from '../../support/provider-events.js';
import { FROM, OK, SmsReplies, TO, TOPIC } from '../../support/sms-replies.js';
import { waitFor } from '../../support/wait-for.js';

/** The default; and the first key of the lock on the suppressions of an account, as in SqlContactLocks. */
const [POOL_SIZE, SUPPRESSIONS_LOCK] = [20, 7_203_118];
const SENT = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

describe('POST /api/provider-events/sms/:accountId, replies', () => {
  let fixture: SmsReplies;
  let events: ProviderEvents;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await SmsReplies.start();
    ({ events } = fixture);
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    events.aws.reset();
    account = await fixture.open();
  });

  const post = (message: string | object, options: PostOptions = {}, to: Pick<TestAccount, 'id'> = account) =>
    fixture.post(to, message, options);
  const reply = (fields: object = {}) => fixture.reply(fields);
  async function addMessage(providerMessageId: string, channel: 'email' | 'sms' = 'sms', owner = account) {
    const recipient = channel === 'sms' ? FROM : 'ada@example.org';
    const [id = ''] = await insertMessages(events.service, owner.id, [{ channel, recipient }]);
    await events.provide(id, providerMessageId);
    return id;
  }
  const stored = () =>
    events.service.query<{ previous_message_id: string | null }>(
      'SELECT * FROM sms_replies WHERE account_id = $1 ORDER BY id',
      [account.id],
    );

  it('stores a reply with the message that it answers, and emits one event', async () => {
    const id = await addMessage(SENT);
    const timestamp = new Date();
    const one = reply();
    for (const signatureVersion of ['1', '2', '2'] as const)
      expect(await post(one, { signatureVersion, timestamp })).toEqual(OK);
    expect(await stored()).toMatchObject([
      { sender: FROM, recipient: TO, body: 'EXAMPLE', previous_message_id: id, previous_provider_message_id: SENT },
    ]);
    expect(await events.outbox(account)).toEqual([
      {
        type: 'sms.inbound',
        data: {
          from: FROM,
          to: TO,
          body: 'EXAMPLE',
          providerMessageId: one.inboundMessageId,
          previousMessageLogId: id,
          contactId: null,
          receivedAt: timestamp.toISOString(),
        },
      },
    ]);
    expect(await events.suppressions(account)).toEqual([]);
    expect(await events.counted('sns', 'recorded')).toBe(1);
    expect(await events.counted('sns', 'known')).toBe(2);
  });

  it('counts concurrent repeats once', async () => {
    const one = reply({ messageBody: 'STOP' });
    expect(await Promise.all(Array.from({ length: 5 }, () => post(one)))).toEqual(Array(5).fill(OK));
    expect(await stored()).toHaveLength(1);
    const types = (await events.outbox(account)).map(({ type }) => type);
    expect(types.sort()).toEqual(['contact.suppressed', 'sms.inbound']);
  });

  it('is not linked to a message of another account, to an email, or without a message id', async () => {
    const other = await fixture.open();
    await addMessage('theirs', 'sms', other);
    await addMessage('mail', 'email');
    for (const previousPublishedMessageId of ['theirs', 'mail', 'nobody’s', undefined])
      expect(await post(reply({ previousPublishedMessageId }))).toEqual(OK);
    const emitted = await events.outbox(account);
    expect(emitted.map(({ data }) => data.previousMessageLogId)).toEqual([null, null, null, null]);
  });

  it('is an event only if the account wants replies, and to its own number; STOP counts in any case', async () => {
    const id = await addMessage(SENT);
    const inbound = async () =>
      (await events.outbox(account)).filter(({ type }) => type === 'sms.inbound').map(({ data }) => data.to);
    const stop = { messageBody: 'STOP', previousPublishedMessageId: undefined };
    expect(
      await post(reply({ ...stop, destinationNumber: '+12125550999', originationNumber: '+14255550001' })),
    ).toEqual(OK);
    expect(await inbound()).toEqual([]);
    expect(await post(reply({ destinationNumber: '+12125550888', previousPublishedMessageId: SENT }))).toEqual(OK);
    expect(await inbound()).toEqual(['+12125550888']);
    await account
      .asAdmin('patch', '/api/settings')
      .send({ sms: { twoWay: false } })
      .expect(200);
    expect(await post(reply({ ...stop, originationNumber: '+14255550002' }))).toEqual(OK);
    expect(await post(reply())).toEqual(OK);
    expect(await inbound()).toEqual(['+12125550888']);
    expect((await stored()).map((row) => row.previous_message_id)).toContain(id);
    expect(await events.suppressions(account)).toMatchObject([
      { address: '+14255550001', reason: 'sms_opt_out' },
      { address: '+14255550002', reason: 'sms_opt_out' },
    ]);
  });

  it('of many who opt out while the suppressions of the account are locked leaves connections to others', async () => {
    const other = await fixture.open();
    const holder = await events.service.database.pool.connect();
    const stopped = 2 * POOL_SIZE;
    let posts: Promise<object>[] = [];
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [SUPPRESSIONS_LOCK, account.id]);
      posts = Array.from({ length: stopped }, (_, i) =>
        post(reply({ messageBody: 'STOP', originationNumber: `+1425555${1_000 + i}` })),
      );
      await waitFor('replies that wait for the lock', async () => {
        const { rows } = await holder.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
        return rows.length > 0;
      });
      for (let n = 0; n < 3; n++) expect(await post(reply({ messageBody: 'STOP' }), {}, other)).toEqual(OK);
      expect(await events.suppressions(other)).toHaveLength(1);
      expect(await events.suppressions(account)).toEqual([]);
    } finally {
      holder.release(true);
    }
    expect(await Promise.all(posts)).toEqual(Array(stopped).fill(OK));
    const [{ count } = { count: 0 }] = await events.service.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM suppressions WHERE account_id = $1',
      [account.id],
    );
    expect(count).toBe(stopped);
  });

  it.each([
    'STOP',
    ' stop! ',
    'Opt-out',
    'opt out',
    'Arrêt',
    'UNSUBSCRIBE',
    'cancel.',
    'End',
    'quit',
    'Remove',
    'TD',
    'Revoke',
    'STOP ALL',
  ])('suppresses the sender of %j at once', async (messageBody) => {
    const id = await addMessage(SENT);
    expect(await post(reply({ messageBody }))).toEqual(OK);
    const expected = { address: FROM, reason: 'sms_opt_out', source: 'provider', messageLogId: id };
    expect(await events.suppressions(account)).toEqual([expected]);
    const emitted = (await events.outbox(account)).find(({ type }) => type === 'contact.suppressed');
    expect(emitted?.data).toMatchObject({ phone: FROM, channel: 'sms', reason: 'sms_opt_out', source: 'provider' });
  });

  it.each(['START', 'UNSTOP', 'please stop', 'stop it', 'nonstop', ''])(
    'only emits an event for %j',
    async (messageBody) => {
      await account.asAdmin('post', '/api/suppressions').send({ phone: '+12025550123' }).expect(201);
      expect(await post(reply({ messageBody, messageKeyword: 'KEYWORD' }))).toEqual(OK);
      expect(await events.suppressions(account)).toHaveLength(1);
      const emitted = await events.outbox(account);
      expect(emitted.find(({ type }) => type === 'sms.inbound')?.data).toMatchObject({ body: messageBody });
    },
  );

  it('suppresses the sender of a stop word of the account, and of no other', async () => {
    const sms = { stopWords: ['Stopp', 'kein Interesse'] };
    await account.asAdmin('patch', '/api/settings').send({ sms }).expect(200);
    const other = await fixture.open();
    for (const messageBody of ['Stopp!\n', 'ich stopp nie']) {
      expect(await post(reply({ messageBody }))).toEqual(OK);
      expect(await post(reply({ messageBody }), {}, other)).toEqual(OK);
    }
    expect(await events.suppressions(account)).toMatchObject([{ address: FROM, reason: 'sms_opt_out' }]);
    expect(await events.suppressions(other)).toEqual([]);
  });

  it('does not restore a lifted suppression when it is repeated', async () => {
    const one = reply({ messageBody: 'STOP' });
    await post(one);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
    expect(await post(one)).toEqual(OK);
    expect(await events.suppressions(account)).toEqual([]);
  });

  it('confirms a subscription to the topic, and to no other', async () => {
    expect(await post('', { type: 'SubscriptionConfirmation' })).toEqual(OK);
    expect(events.aws.subscriptions()).toMatchObject([{ topicArn: TOPIC, confirmed: true }]);
    const other = { type: 'SubscriptionConfirmation', topicArn: `${TOPIC}-2` } as const;
    expect((await post('', other)).status).toBe(403);
    expect(events.aws.subscriptions()).toMatchObject([{ confirmed: true }, { confirmed: false }]);
    expect(await post('', { type: 'UnsubscribeConfirmation' })).toEqual(OK);
  });

  it.each<[string, PostOptions, string]>([
    ['of another topic', { topicArn: `${TOPIC}-2` }, "The topic is not the account's"],
    ['that was altered', { forged: { Message: '{}' } }, 'The signature is not valid'],
    ['with an expired certificate', { certificate: 'expired' }, 'The signature is not valid'],
    ['delivered raw', { raw: true }, 'Raw message delivery has no signature'],
    ['of three hours ago', { timestamp: new Date(Date.now() - 3 * 3_600_000) }, 'The message is too old'],
  ])('refuses a post %s', async (_, options, message) => {
    const { status, body } = await post(reply({ messageBody: 'STOP' }), options);
    expect({ status, body: JSON.parse(body) as object }).toEqual({ status: 403, body: errorBody(403, message) });
    expect([await stored(), await events.suppressions(account)]).toEqual([[], []]);
  });

  it('refuses posts without a topic or account', async () => {
    expect((await post(reply(), {}, await fixture.open(null))).status).toBe(403);
    expect((await post(reply(), {}, { id: 'c000000000000000000000000' })).status).toBe(404);
  });

  it('refuses a message that is not a reply', async () => {
    expect((await post('Hello')).status).toBe(400);
    for (const message of [{}, reply({ originationNumber: 7 }), reply({ inboundMessageId: '' })])
      expect((await post(message)).status).toBe(400);
    const { status } = await events.service.request('post', `/api/provider-events/sms/${account.id}`).send('{');
    expect(status).toBe(400);
  });

  it('stores unusual text', async () => {
    const body = 'a\u0000b\ud800 '.repeat(500);
    expect(await post(reply({ messageBody: body, originationNumber: '72727' }))).toEqual(OK);
    expect(await stored()).toMatchObject([{ sender: '72727', body: 'ab\ufffd '.repeat(500) }]);
  });

  it('purges texts and then replies together with those of messages', async () => {
    await post(reply());
    const purgeExpired = () => events.service.app.get(StoreReply, { strict: false }).purgeExpired();
    await purgeExpired();
    expect(await stored()).toMatchObject([{ body: 'EXAMPLE' }]);
    await events.service.query(`UPDATE sms_replies SET received_at = received_at - interval '31 days'`);
    await purgeExpired();
    expect(await stored()).toMatchObject([{ body: null, sender: FROM }]);
    await events.service.query(`UPDATE sms_replies SET received_at = received_at - interval '15 months'`);
    await purgeExpired();
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['STOP', TO],
    ['START', TO],
    ['START', '+12125550999'],
  ])('purges %s to %s like any other reply: an old post is refused by its time', async (messageBody, to) => {
    await post(reply({ messageBody, destinationNumber: to }));
    await events.service.query(`UPDATE sms_replies SET received_at = received_at - interval '15 months'`);
    await events.service.app.get(StoreReply, { strict: false }).purgeExpired();
    expect(await stored()).toEqual([]);
  });
});
