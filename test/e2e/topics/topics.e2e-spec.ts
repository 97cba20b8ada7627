import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MAX_TOPICS } from '../../../src/config/limits.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';
import { addTopic } from '../../support/topics.js';

const DETAILS = { name: 'Newsletter' };

describe('/api/topics', () => {
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    other = await service.createAccount();
  });

  const post = (fields: object) => account.asAdmin('post', '/api/topics').send({ ...DETAILS, ...fields });
  const list = async () => (await account.asMember('get', '/api/topics').expect(200)).body;

  it('creates, lists, changes and deletes a topic', async () => {
    const { body: created } = await post({ name: ' Newsletter ', description: 'Once a month' }).expect(201);
    expect(created).toEqual({
      id: expect.any(String),
      ...{ name: 'Newsletter', description: 'Once a month', visibility: 'public', byDefault: 'in' },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    expect(await list()).toMatchObject({ items: [created], total: 1 });
    const changes = { name: 'Weekly', visibility: 'private', byDefault: 'out', description: '' };
    const path = `/api/topics/${created.id}`;
    const { body: changed } = await account.asAdmin('patch', path).send(changes).expect(200);
    expect(changed).toMatchObject({ id: created.id, ...changes });
    await account.asAdmin('delete', path).expect(200);
    expect(await list()).toMatchObject({ items: [], total: 0 });
    for (const method of ['patch', 'delete'] as const)
      await account.asAdmin(method, path).expect(404, errorBody(404, 'Topic not found'));
  });

  it.each([
    [{ name: ' ' }, 'name must not be blank'],
    [{ name: 'a'.repeat(101) }, 'name must be shorter than or equal to 100 characters'],
    [{ byDefault: 'maybe' }, 'byDefault must be in or out'],
    [{ visibility: 'secret' }, 'visibility must be public or private'],
    [{ description: null }, 'description must be a string'],
    [{ colour: 'red' }, 'colour is not a known field'],
  ])('refuses %j', async (fields, message) => {
    const { body } = await post(fields).expect(400);
    expect(body.message).toContain(message);
  });

  it('refuses a name that another topic has, which a deleted one sets free', async () => {
    const { id } = await addTopic(account);
    const taken = errorBody(409, 'A topic with the name NEWSLETTER exists already');
    await post({ name: 'NEWSLETTER' }).expect(409, taken);
    const offers = await addTopic(account, { name: 'Offers' });
    await account.asAdmin('patch', `/api/topics/${offers.id}`).send({ name: 'NEWSLETTER' }).expect(409, taken);
    await account.asAdmin('delete', `/api/topics/${id}`).expect(200);
    await post({ name: 'NEWSLETTER' }).expect(201);
    await other.asAdmin('post', '/api/topics').send(DETAILS).expect(201);
  });

  it('keeps an account below the maximum, even if requests race', async () => {
    await service.query(
      `INSERT INTO topics SELECT 'c' || lpad(n::text, 24, '0') || '', $1, n::text, n::text, '', 'public', 'in', now(), now()
       FROM generate_series(1, $2::integer) n ON CONFLICT DO NOTHING`,
      [account.id, MAX_TOPICS - 1],
    );
    const statuses = await Promise.all(['a', 'b', 'c'].map(async (name) => (await post({ name })).status));
    expect(statuses.toSorted()).toEqual([201, 409, 409]);
  });

  it('is for admins; keys and members read', async () => {
    const { id } = await addTopic(account);
    await account.asMember('post', '/api/topics').send(DETAILS).expect(403);
    await account.asMember('patch', `/api/topics/${id}`).send({ name: 'x' }).expect(403);
    await account.asMember('delete', `/api/topics/${id}`).expect(403);
    for (const mode of ['live', 'test'] as const) {
      const { secret } = await account.createKey({ mode });
      const { body } = await service.request('get', '/api/topics').set('X-API-Key', secret).expect(200);
      expect(body.items).toMatchObject([{ id }]);
    }
  });

  it('is what consents and forms refer to', async () => {
    const { id } = await addTopic(account);
    const foreign = await addTopic(other);
    const consent = { email: 'ada@example.com', action: 'granted' };
    const fault = errorBody(400, `topicId: there is no topic ${foreign.id}`);
    const record = (topicId: string) => account.asAdmin('post', '/api/consents').send({ ...consent, topicId });
    await record(foreign.id).expect(400, fault);
    await record(id).expect(201);
    const consents = (topicId: string) => account.asMember('get', '/api/consents').query({ topicId });
    await consents(foreign.id).expect(400, fault);
    expect((await consents(id).expect(200)).body.items).toHaveLength(1);
    await account.verifySender('hello@example.org');
    const form = { name: 'News', wording: 'I agree.', fromEmail: 'hello@example.org' };
    const create = (topicIds: string[]) => account.asAdmin('post', '/api/forms').send({ ...form, topicIds });
    await create([id, foreign.id]).expect(400, errorBody(400, `topicIds: there is no topic ${foreign.id}`));
    expect((await create([id]).expect(201)).body.topicIds).toEqual([id]);
    await account.asAdmin('delete', `/api/topics/${id}`).expect(200);
    // What was recorded can be found, and a person can still withdraw it.
    expect((await consents(id).expect(200)).body.items).toHaveLength(1);
    await record(id).expect(201);
    await create([id]).expect(400, errorBody(400, `topicIds: there is no topic ${id}`));
  });
});
