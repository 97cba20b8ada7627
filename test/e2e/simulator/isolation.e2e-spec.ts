import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { lockRows } from '../../support/lock-rows.js';
import { SENDER } from '../../support/relay-fixture.js';
import { postEmail } from '../../support/send-email.js';
import { SimulatorFixture } from '../../support/simulator-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const LATER = '2099-01-01T00:00:00.000Z';

describe('Test messages', () => {
  let fixture: SimulatorFixture;
  let account: TestAccount;
  let live: TestKey;
  let test: TestKey;

  beforeAll(async () => {
    fixture = await SimulatorFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    account = await fixture.service.createAccount({ dailySendCap: 2 });
    await account.verifySender(SENDER);
    live = await account.createKey();
    test = await account.createKey({ mode: 'test' });
  });

  const get = async (path: string, key?: TestKey) => {
    const request = key
      ? fixture.service.request('get', path).set('X-API-Key', key.secret)
      : account.asMember('get', path);
    return (await request.expect(200)).body;
  };
  const idsIn = async (path: string, key?: TestKey) =>
    ((await get(path, key)).items as { id: string }[]).map(({ id }) => id);
  const post = (key: TestKey, mail: object) => postEmail(fixture.service, key.secret, { text: 'Hello', ...mail });
  /** A time at most 90 days ahead. */
  const soon = () => new Date(fixture.service.clock.now().getTime() + 3_600_000).toISOString();

  it('are listed and counted for sessions only on request, and marked', async () => {
    const ids = { live: await fixture.send(live, 'a@example.org'), test: await fixture.send(test, 'b@example.org') };
    await fixture.complete(test, ids.test);
    const lists = { live: await get('/api/messages'), test: await get('/api/messages?test=true') };
    expect(lists.live.items).toMatchObject([{ id: ids.live, test: false }]);
    expect(lists.test.items).toMatchObject([{ id: ids.test, test: true }]);
    expect(await get('/api/messages/aggregate')).toMatchObject({ total: 1 });
    expect(await get('/api/messages/aggregate?test=true')).toMatchObject({ total: 1, status: { delivered: 1 } });
    expect(await get('/api/overview')).toMatchObject({ total: { accepted: 1 } });
    expect(await get('/api/overview?test=true')).toMatchObject({ total: { accepted: 1, delivered: 1 } });
    await account.asMember('get', '/api/messages?test=yes').expect(400, errorBody(400, 'test must be true'));
  });

  it('are visible to their key, and to no live key', async () => {
    const ids = { live: await fixture.send(live, 'a@example.org'), test: await fixture.send(test, 'b@example.org') };
    for (const query of ['', '?test=true']) expect(await idsIn(`/api/messages${query}`, test)).toEqual([ids.test]);
    expect(await idsIn('/api/messages', live)).toEqual([ids.live]);
    expect(await idsIn('/api/messages?test=true', live)).toEqual([]);
    await fixture.service.request('get', `/api/messages/${ids.test}`).set('X-API-Key', live.secret).expect(404);
    await fixture.service.request('get', `/api/messages/${ids.live}`).set('X-API-Key', test.secret).expect(404);
  });

  it('get their reports while somebody has locked a message of another account, which gets its own afterwards', async () => {
    const other = await fixture.service.createAccount();
    await other.verifySender(SENDER);
    const keys = [test, await other.createKey({ mode: 'test' })] as const;
    const ids = [await fixture.send(keys[0], 'a@example.org'), await fixture.send(keys[1], 'b@example.org')] as const;
    for (const i of [0, 1] as const) await fixture.attempted(keys[i], ids[i]);
    const unlock = await lockRows(fixture.service, 'SELECT FROM message_logs WHERE id = $1', [ids[0]]);
    try {
      const fault = () =>
        fixture.report().then(
          () => undefined,
          (error: unknown) => error,
        );
      // The service polls, too: while it has the reports, others skip them.
      expect(await waitFor('the report to wait for the lock', fault)).toMatchObject({
        message: expect.stringContaining('lock timeout') as unknown,
      });
      await waitFor('the other report', async () => (await fixture.read(keys[1], ids[1])).status === 'delivered');
      expect(await fixture.read(keys[0], ids[0])).toMatchObject({ status: 'sent' });
    } finally {
      await unlock();
    }
    await waitFor('the report', async () => (await fixture.read(keys[0], ids[0])).status === 'delivered');
  });

  it('are found by their id in a session, with content, source and attachments', async () => {
    const attachments = [{ filename: 'a.txt', content: Buffer.from('Hello').toString('base64') }];
    const id = await fixture.send(test, 'ada@example.org', { attachments });
    expect(await get(`/api/messages/${id}`)).toMatchObject({ id, test: true });
    expect(await get(`/api/messages/${id}/content`)).toMatchObject({ text: 'Hello' });
    expect((await get(`/api/messages/${id}/source`)).source).toContain('To: ada@example.org');
    const { body } = await account.asMember('get', `/api/messages/${id}/attachments/1`).expect(200);
    expect(String(body)).toBe('Hello');
    const other = await fixture.service.createAccount();
    await other.asMember('get', `/api/messages/${id}`).expect(404);
  });

  it('are rescheduled, canceled and resent by their id in a session', async () => {
    const scheduledAt = soon();
    const [first, second] = [
      await fixture.send(test, 'a@example.org', { scheduledAt }),
      await fixture.send(test, 'b@example.org', { scheduledAt }),
    ];
    const changed = await account.asAdmin('patch', `/api/messages/${first}`).send({ scheduledAt: soon() }).expect(200);
    expect(changed.body).toMatchObject({ id: first, test: true, status: 'queued' });
    await account.asAdmin('patch', `/api/messages/${first}`).send({ scheduledAt: LATER }).expect(400);
    expect((await account.asAdmin('post', `/api/messages/${first}/cancel`).expect(200)).body.status).toBe('canceled');
    const ids = [first, second, await fixture.send(live, 'c@example.org', { scheduledAt }), `c${'0'.repeat(24)}`];
    const canceled = await account.asAdmin('post', '/api/messages/cancel').send({ ids }).expect(200);
    expect(canceled.body).toMatchObject({ canceled: 3, unchanged: 1 });
    const { body } = await account.asAdmin('post', `/api/messages/${first}/resend`).expect(201);
    const resent = await waitFor('the end of the resent message', async () => {
      const message = await get(`/api/messages/${body.messageLogId}`);
      return ['sent', 'delivered'].includes(message.status as string) && message;
    });
    expect(resent).toMatchObject({ test: true, provider: 'simulator', resentFrom: first });
  });

  it('count under the limit of their key alone', async () => {
    const limited = await account.createKey({ mode: 'test', dailyLimit: 1 });
    for (let i = 0; i < 4; i++) await post(test, { to: 'ada@example.org' }).expect(201);
    const { headers } = await post(test, { to: 'ada@example.org' }).expect(201);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '10000', 'x-ratelimit-remaining': '9995' });
    const accepted = await post(limited, { to: 'ada@example.org' }).expect(201);
    expect(accepted.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    await post(limited, { to: 'ada@example.org' }).expect(
      400,
      errorBody(400, 'Daily send limit reached for this API key'),
    );
    await fixture.service.query('UPDATE daily_usage SET used = 10000 WHERE subject_id = $1', [test.id]);
    await post(test, { to: 'ada@example.org' }).expect(
      400,
      errorBody(400, 'Daily send limit reached for this API key'),
    );
    await fixture.service.query('UPDATE daily_usage SET used = 5 WHERE subject_id = $1', [test.id]);
    expect(await get('/api/usage')).toMatchObject({
      ...{ cap: 2, used: 0 },
      keys: [
        { apiKeyId: test.id, used: 5 },
        { apiKeyId: limited.id, used: 1 },
      ],
    });
    for (let i = 0; i < 2; i++) await post(live, { to: 'ada@example.org' }).expect(201);
    await post(live, { to: 'ada@example.org' }).expect(429);
    await post(test, { to: 'ada@example.org' }).expect(201);
  });

  it('have suppressions of their own, which sessions list and lift', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.org' }).expect(201);
    await post(live, { to: 'ada@example.org' }).expect(400);
    await post(test, { to: 'ada@example.org' }).expect(201);
    await fixture.complete(test, await fixture.send(test, 'bounced@example.org'));
    await post(live, { to: 'bounced@example.org' }).expect(201);
    expect(await fixture.suppressions(account)).toMatchObject([{ address: 'ada@example.org' }]);
    const [bounced] = await fixture.suppressions(account, '?test=true');
    expect(bounced).toMatchObject({ address: 'bounced@example.org' });
    expect(await get(`/api/suppressions/${bounced?.id}?test=true`)).toEqual(bounced);
    await account.asMember('get', `/api/suppressions/${bounced?.id}`).expect(404);
    const csv = await account.asMember('get', '/api/suppressions/export?test=true').expect(200);
    expect(csv.text).toContain('bounced@example.org');
    expect(csv.text).not.toContain('ada@example.org');
    await account.asAdmin('delete', `/api/suppressions/${bounced?.id}`).expect(200);
    await post(test, { to: 'bounced@example.org' }).expect(201);
  });

  it('reach no webhook endpoint that has not asked for test events, and are not marked in live events', async () => {
    const { service, webhooks } = fixture;
    const without = await webhooks.addEndpoint(account);
    const withTests = await webhooks.addEndpoint(account, { testEvents: true });
    await fixture.complete(test, await fixture.send(test, 'bounced@example.org'));
    await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.org' }).expect(201);
    await webhooks.dispatch();
    const posts = await webhooks.receiver.waitForPosts(2, withTests.path);
    const events = posts.map(({ body }) => JSON.parse(body) as { event: string; data: { test?: boolean } });
    expect(events.map(({ event, data }) => [event, data.test]).sort()).toEqual([
      ['contact.bounced', true],
      ['contact.suppressed', undefined],
    ]);
    expect(await webhooks.receiver.waitForPosts(1, without.path)).toHaveLength(1);
    expect((await webhooks.deliveries(account, without.id)).map(({ event }) => event)).toEqual(['contact.suppressed']);
    await account.asAdmin('patch', `/api/webhooks/${withTests.id}`).send({ testEvents: false }).expect(200);
    await fixture.complete(test, await fixture.send(test, 'complained@example.org'));
    await webhooks.dispatch();
    expect(await service.query('SELECT FROM outbox_events')).toEqual([]);
    expect(await webhooks.deliveries(account, withTests.id)).toHaveLength(2);
  });

  it('use the templates of the account, and contacts of their own', async () => {
    const template = { name: 'Hello', subject: 'Hello {{name}}', html: '<p>{{name}}</p>', text: null };
    const { body } = await account.asAdmin('post', '/api/templates').send(template).expect(201);
    const mail = { templateId: body.id, variables: { name: 'Ada' } };
    const id = (
      await postEmail(fixture.service, test.secret, { ...mail, to: 'ada@example.org', subject: undefined }).expect(201)
    ).body.messageLogId as string;
    expect((await fixture.read(test, id)).subject).toBe('Hello Ada');
    const upsert = { email: 'ada@example.org', firstName: 'Ada' };
    await fixture.service.request('post', '/api/contacts').set('X-API-Key', test.secret).send(upsert).expect(201);
    expect((await get('/api/contacts', test)).total).toBe(1);
    expect((await get('/api/contacts', live)).total).toBe(0);
    expect((await get('/api/contacts')).total).toBe(0);
  });

  it('of a person are erased with the contact', async () => {
    const email = 'bounced@example.org';
    await fixture.service.request('post', '/api/contacts').set('X-API-Key', test.secret).send({ email }).expect(201);
    const id = await fixture.send(test, email);
    await fixture.complete(test, id);
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email }).expect(201);
    await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
    expect(await get(`/api/messages/${id}`)).toMatchObject({ to: 'erased', status: 'bounced' });
    expect(await fixture.suppressions(account, '?test=true')).toEqual([]);
    expect((await get('/api/contacts', test)).total).toBe(0);
    await post(live, { to: email }).expect(400);
  });

  it('of two first keys that are created at the same time belong to one test account', async () => {
    const other = await fixture.service.createAccount();
    const keys = await Promise.all(Array.from({ length: 4 }, () => other.createKey({ mode: 'test' })));
    const accounts = await fixture.service.query('SELECT id FROM accounts WHERE test_of = $1', [other.id]);
    expect(accounts).toHaveLength(1);
    const { items } = (await other.asMember('get', '/api/api-keys?mode=test').expect(200)).body;
    expect((items as TestKey[]).map(({ id }) => id).sort()).toEqual(keys.map(({ id }) => id).sort());
  });
});
