import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { recordConsent } from '../../support/consents.js';
import { badRequest } from '../../support/errors.js';
import { postEmail, sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';
const ADA = 'ada@example.org';
const GRACE = 'grace@example.org';
const REFUSED = badRequest(`${ADA} has unsubscribed from Newsletter`, 'unsubscribed_from_topic');
const LATER = { code: 451, message: '4.7.1 Try again later' };

describe('Messages with a topic', () => {
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;
  let key: TestKey;
  let topicId: string;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    relay.reset();
    account = await service.createAccount();
    other = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
    topicId = (await addTopic(account)).id;
  });

  const send = (fields: object = {}, secret = key.secret) =>
    postEmail(service, secret, { text: 'Hello', topicId, ...fields });
  const record = (fields: object, of = account) => recordConsent(of, { email: ADA, ...fields }).expect(201);
  const withdraw = (fields: object = { topicId }) => record({ action: 'withdrawn', ...fields });
  const read = async (id: string) => (await account.asMember('get', `/api/messages/${id}`).expect(200)).body;
  const until = (id: string, status: string) =>
    waitFor(`the message to be ${status}`, async () => {
      const message = await read(id);
      return message.status === status ? message : undefined;
    });

  it('do not go to somebody who had left it, was erased, and is added again once the suppression is deleted', async () => {
    const add = async () => (await account.asAdmin('post', '/api/contacts').send({ email: ADA }).expect(201)).body.id;
    const id = await add();
    await withdraw();
    await account.asAdmin('post', `/api/contacts/${id}/erase`).expect(200);
    const { body } = await account.asMember('get', '/api/suppressions').expect(200);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
    const refuseAll = async () => {
      await send({ to: ADA }).expect(400, REFUSED);
      await send({ to: GRACE, cc: [ADA] }).expect(400, REFUSED);
    };
    await refuseAll();
    await add();
    await refuseAll();
    await send({ to: ADA, topicId: undefined }).expect(201);
    service.clock.advance({ seconds: 1 });
    await record({ topicId });
    await send({ to: ADA }).expect(201);
  });

  it('show it, and can be listed, counted and exported by it', async () => {
    const offers = (await addTopic(account, { name: 'Offers' })).id;
    const id = await sendEmail(service, key.secret, { text: 'Hello', topicId });
    await sendEmail(service, key.secret, { text: 'Hello', topicId: offers });
    await sendEmail(service, key.secret, { text: 'Hello' });
    expect(await until(id, 'sent')).toMatchObject({ topicId });
    const get = async (path: string, query: object) =>
      account.asMember('get', `/api/messages${path}`).query({ topicId, ...query });
    for (const query of [{}, { status: 'sent' }, { search: 'ada' }, { channel: 'email' }])
      expect((await get('', query)).body.items).toMatchObject([{ id, topicId }]);
    for (const query of [{ status: 'failed' }, { channel: 'sms' }, { search: 'nobody' }])
      expect((await get('', query)).body.items).toEqual([]);
    const total = async (query: object = {}) => (await get('/aggregate', query)).body.total;
    expect(await total()).toBe(1);
    await service.app.get(RollUpMessages, { strict: false }).rollUp();
    const aMinuteAgo = new Date(service.clock.now().getTime() - 60_000).toISOString();
    for (const query of [{}, { from: aMinuteAgo }, { search: 'ada' }, { to: aMinuteAgo, topicId: offers }])
      expect(await total(query)).toBe('to' in query ? 0 : 1);
    const { text } = await get('/export.csv', {});
    expect(text.trim().split('\n')).toHaveLength(2);
    expect(text).toContain(topicId);
    const { body } = await get('', { topicId: 'x' });
    expect(body.message).toBe('topicId must be the id of a topic');
  });

  it('are refused for who has unsubscribed from it, and count nothing, while others pass', async () => {
    await withdraw();
    await send().expect(400, REFUSED);
    await send({ topicId: undefined }).expect(201);
    await send({ topicId: null, to: 'ADA@example.org' }).expect(201);
    await send({ to: GRACE }).expect(201);
    await send({ to: GRACE, cc: [ADA] }).expect(400, REFUSED);
    await send({ tags: ['a'] }).expect(400, REFUSED);
    const { body } = await send().set('Idempotency-Key', 'once');
    expect(body).toEqual(REFUSED);
    expect((await send({ to: GRACE }).expect(201)).headers['x-ratelimit-remaining']).toBe('996');
    await record({ topicId });
    await send().expect(201);
  });

  it('follow a later consent without topic, and the default of the topic', async () => {
    await withdraw({});
    await send().expect(400, REFUSED);
    await record({});
    await send().expect(201);
    await withdraw();
    await record({});
    await send().expect(201);
    const rare = (await addTopic(account, { name: 'Rare', byDefault: 'out' })).id;
    const refused = badRequest(`${GRACE} has unsubscribed from Rare`, 'unsubscribed_from_topic');
    await send({ topicId: rare, to: GRACE }).expect(400, refused);
    await recordConsent(account, { email: GRACE, purpose: 'tracking' }).expect(201);
    await send({ topicId: rare, to: GRACE }).expect(400, refused);
    await recordConsent(account, { email: GRACE, topicId: rare }).expect(201);
    await send({ topicId: rare, to: GRACE }).expect(201);
  });

  it.each([
    ['of another account', async () => (await addTopic(other)).id],
    [
      'that was deleted',
      async () => {
        await account.asAdmin('delete', `/api/topics/${topicId}`).expect(200);
        return topicId;
      },
    ],
  ])('are refused with a topic %s, by name of the field', async (_, find) => {
    const unknown = await find();
    const fault = badRequest(`topicId: there is no topic ${unknown}`);
    await send({ topicId: unknown }).expect(400, fault);
    await send({ topicId: unknown, tags: ['a'] }).expect(400, fault);
    const messages = [{ to: GRACE, fromEmail: SENDER, subject: 'x', text: 'x', topicId: unknown }];
    const { body } = await service.request('post', '/api/send/batch').set('X-API-Key', key.secret).send({ messages });
    expect(body.message).toBe(`messages[0].topicId: there is no topic ${unknown}`);
  });

  it('ignore what stands in another account', async () => {
    const id = (await addTopic(other)).id;
    await record({ action: 'withdrawn', topicId: id }, other);
    await record({ action: 'withdrawn' }, other);
    await send().expect(201);
  });

  it('are refused one by one in a batch', async () => {
    await withdraw();
    const mail = { fromEmail: SENDER, subject: 'x', text: 'x', topicId };
    const messages = [
      { ...mail, to: ADA },
      { ...mail, to: GRACE },
      { ...mail, to: ADA, topicId: null },
    ];
    const post = (mode: string) =>
      service.request('post', '/api/send/batch').set('X-API-Key', key.secret).send({ messages, mode });
    const { body } = await post('all').expect(400);
    expect(body).toEqual(badRequest(`messages[0]: ${ADA} has unsubscribed from Newsletter`, 'unsubscribed_from_topic'));
    const { body: valid } = await post('valid').expect(201);
    expect(JSON.stringify(valid)).toContain(`${ADA} has unsubscribed from Newsletter`);
    expect(await service.query('SELECT FROM message_logs WHERE account_id = $1', [account.id])).toHaveLength(2);
  });

  it('use the topics of the account, but the consents of its test account, with a test key', async () => {
    const { secret } = await account.createKey({ mode: 'test' });
    await withdraw();
    await send({}, secret).expect(201);
    const consent = { email: ADA, action: 'withdrawn', topicId };
    await service.request('post', '/api/consents').set('X-API-Key', secret).send(consent).expect(201);
    await send({}, secret).expect(400, REFUSED);
  });

  it('are refused in the test of a template', async () => {
    const template = { name: 'News', subject: 'News', html: '<p>News</p>' };
    const { body } = await account.asAdmin('post', '/api/templates').send(template).expect(201);
    await withdraw();
    const test = (to: string) =>
      account.asAdmin('post', `/api/templates/${body.id}/test`).send({ to, fromEmail: SENDER, topicId });
    await test(ADA).expect(400, REFUSED);
    const { messageLogId } = (await test(GRACE).expect(201)).body;
    expect(await read(messageLogId)).toMatchObject({ topicId });
  });

  it.each([
    ['unsubscribes from the topic', () => withdraw(), 'suppressed', `${ADA} has unsubscribed from Newsletter`],
    ['withdraws everything', () => withdraw({}), 'suppressed', `${ADA} has unsubscribed from Newsletter`],
    [
      'unsubscribes before the topic is deleted',
      async () => {
        await withdraw();
        await account.asAdmin('delete', `/api/topics/${topicId}`).expect(200);
      },
      'suppressed',
      `${ADA} has unsubscribed from Newsletter`,
    ],
    ['stays, while the topic is deleted', () => account.asAdmin('delete', `/api/topics/${topicId}`), 'sent', null],
  ])('are checked again before the submission: who %s after acceptance', async (_, act, status, error) => {
    relay.answer = (stage) => (stage === 'rcpt' ? LATER : undefined);
    const id = await sendEmail(service, key.secret, { text: 'Hello', topicId });
    const plain = await sendEmail(service, key.secret, { text: 'Hello' });
    await waitFor('postponed messages', async () => {
      const rows = await service.query(
        'SELECT FROM pending_deliveries WHERE account_id = $1 AND next_attempt_at > now()',
        [account.id],
      );
      return rows.length === 2;
    });
    await act();
    relay.answer = () => undefined;
    await service.query(`UPDATE pending_deliveries SET next_attempt_at = '-infinity', sweep_at = '-infinity'`);
    await service.app.get(SweepDeliveries, { strict: false }).sweep();
    await until(plain, 'sent');
    const message = await until(id, status);
    if (error !== null) expect(message.error).toBe(error);
    const ids = relay.received().map(({ parsed }) => parsed.messageId?.slice(1, 1 + id.length));
    expect(ids.includes(id)).toBe(status === 'sent');
    expect(ids).toContain(plain);
  });
});
