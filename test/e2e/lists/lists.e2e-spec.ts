import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('/api/lists', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const create = (name: unknown) => account.asAdmin('post', '/api/lists').send({ name });
  const taken = (name: string) => errorBody(409, `A list with the name ${name} exists already`);

  it('creates, lists and renames lists', async () => {
    const { body: first } = await create(' Newsletter ').expect(201);
    expect(first).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      name: 'Newsletter',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: first.createdAt,
    });
    service.clock.advance({ seconds: 1 });
    const { body: second } = await create('Offers').expect(201);
    const { body: renamed } = await account
      .asAdmin('patch', `/api/lists/${first.id as string}`)
      .send({ name: 'News' })
      .expect(200);
    expect(renamed).toEqual({ ...first, name: 'News', updatedAt: renamed.updatedAt });
    expect(renamed.updatedAt > first.updatedAt).toBe(true);
    await account
      .asMember('get', '/api/lists')
      .expect(200, { items: [second, renamed], total: 2, page: 1, pageSize: 25, totalPages: 1 });
  });

  it('requires a name that is unique in the account, in any case', async () => {
    const answers = await Promise.all(['News', 'news', 'NEWS ', 'news'].map((name) => create(name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const { body } = await create('Other').expect(201);
    await account
      .asAdmin('patch', `/api/lists/${body.id as string}`)
      .send({ name: 'nEWS' })
      .expect(409, taken('nEWS'));
    const other = await service.createAccount();
    await other.asAdmin('post', '/api/lists').send({ name: 'News' }).expect(201);
  });

  it('deletes a list and keeps its contacts', async () => {
    const [{ body: gone }, { body: kept }] = [await create('Gone'), await create('Kept')];
    const listIds = [gone.id, kept.id] as string[];
    const ada = { email: 'ada@example.com', listIds };
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send(ada).expect(201);
    await account.asAdmin('delete', `/api/lists/${gone.id as string}`).expect(200, gone);
    await account
      .asMember('get', `/api/contacts/${contact.id as string}`)
      .expect(200, { ...contact, listIds: [kept.id] });
    const query = (id: unknown) => account.asMember('get', `/api/contacts?listId=${String(id)}`);
    await query(gone.id).expect(400, badRequest(`listId: there is no list ${String(gone.id)}`));
    expect((await query(kept.id).expect(200)).body.total).toBe(1);
    service.clock.advance({ seconds: 1 });
    await account
      .asAdmin('post', '/api/contacts')
      .send({ email: 'ada@example.com', listIds: [kept.id] })
      .expect(200, { ...contact, listIds: [kept.id] });
    expect(await service.query('SELECT FROM list_members WHERE list_id = $1', [gone.id])).toEqual([]);
    await create('Gone').expect(201);
  });

  it('leaves no contact in a list that is deleted at the same time', async () => {
    const { body } = await create('Gone').expect(201);
    const contacts = Array.from({ length: 200 }, (_, i) => ({ email: `p${i}@example.com`, listIds: [body.id] }));
    const [, ...answers] = await Promise.all([
      account.asAdmin('delete', `/api/lists/${body.id as string}`).expect(200),
      ...[contacts.slice(0, 100), contacts.slice(100)].map((part) =>
        account.asAdmin('post', '/api/contacts/import').send({ contacts: part }).expect(200),
      ),
    ]);
    for (const answer of answers) expect([0, 100]).toContain(answer.body.created);
    expect(await service.query('SELECT FROM list_members WHERE list_id = $1', [body.id])).toEqual([]);
  });

  it.each([
    [{}, 'name must be a string'],
    [{ name: ' ' }, 'name must not be blank'],
    [{ name: 'x'.repeat(101) }, 'name must be shorter than or equal to 100 characters'],
    [{ name: 'a\nb' }, 'name must not hold line breaks or control characters'],
    [{ name: 'a\u0000' }, 'name holds a character that cannot be stored'],
    [{ name: 'a', kind: 'b' }, 'kind is not a known field'],
  ])('refuses %.70j', async (body, message) => {
    await account.asAdmin('post', '/api/lists').send(body).expect(400, badRequest(message));
  });

  it('can be written by admins and keys with the scope', async () => {
    await account.asMember('post', '/api/lists').send({ name: 'a' }).expect(403);
    const { secret } = await account.createKey({ scopes: ['contacts:write'] });
    await service.request('post', '/api/lists').set('X-API-Key', secret).send({ name: 'a' }).expect(201);
  });
});
