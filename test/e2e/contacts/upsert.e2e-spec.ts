import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('POST /api/contacts', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    key = await account.createKey({ scopes: ['contacts:write'] });
  });

  const upsert = (body: object) => service.request('post', '/api/contacts').set('X-API-Key', key.secret).send(body);
  const createList = async (name = 'Newsletter') =>
    (await account.asAdmin('post', '/api/lists').send({ name }).expect(201)).body.id as string;
  const rows = () =>
    service.query<{ normalised_email: string }>('SELECT normalised_email FROM contacts WHERE account_id = $1', [
      account.id,
    ]);

  it('adds a contact', async () => {
    const listId = await createList();
    const { body } = await upsert({
      email: ' Ada@BÜCHER.example ',
      firstName: ' Ada ',
      lastName: 'Lovelace',
      company: '',
      tags: ['vip', 'customer', 'vip'],
      listIds: [listId],
    }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      email: 'Ada@BÜCHER.example',
      firstName: 'Ada',
      lastName: 'Lovelace',
      company: null,
      attributes: {},
      tags: ['customer', 'vip'],
      status: 'active',
      listIds: [listId],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    });
    expect(await rows()).toEqual([{ normalised_email: 'ada@xn--bcher-kva.example' }]);
    await account.asMember('get', `/api/contacts/${body.id as string}`).expect(200, body);
  });

  it('changes the contact with any spelling of the address: keeps absent fields, clears null, replaces tags and lists', async () => {
    const [first, second] = [await createList(), await createList('Second')];
    const { body: before } = await upsert({
      email: 'ada@example.com',
      firstName: 'Ada',
      company: 'Engines',
      tags: ['a', 'b'],
      listIds: [first],
    }).expect(201);
    service.clock.advance({ seconds: 1 });
    const { body: after } = await upsert({
      email: 'ADA@example.com',
      lastName: 'King',
      company: null,
      tags: ['c'],
      listIds: [second],
    }).expect(200);
    const changes = { email: 'ADA@example.com', lastName: 'King', company: null, tags: ['c'], listIds: [second] };
    expect(after).toEqual({ ...before, ...changes, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    const { body: cleared } = await upsert({ email: 'ADA@example.com', tags: null, listIds: null }).expect(200);
    expect(cleared).toMatchObject({ company: null, lastName: 'King', tags: [], listIds: [] });
  });

  it('keeps updatedAt if nothing changes', async () => {
    const contact = { email: 'ada@example.com', firstName: 'Ada', tags: ['b', 'a'] };
    const { body } = await upsert(contact).expect(201);
    service.clock.advance({ seconds: 1 });
    await upsert(contact).expect(200, body);
    await upsert({ ...contact, tags: ['a', 'b'], status: 'active' }).expect(200, body);
  });

  it('leaves one contact after many concurrent writes of one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => upsert({ email: i % 2 ? 'ada@example.com' : 'ADA@Example.com' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  const long = 'x'.repeat(300);
  it.each([
    [{}, 'email must be an email address'],
    [{ email: 'ada' }, 'email must be an email address'],
    [{ email: 'a@b.example', firstName: long }, 'firstName must be shorter than or equal to 200 characters'],
    [{ email: 'a@b.example', lastName: long }, 'lastName must be shorter than or equal to 200 characters'],
    [{ email: 'a@b.example', company: long }, 'company must be shorter than or equal to 200 characters'],
    [{ email: 'a@b.example', firstName: 'A\nB' }, 'firstName must not hold line breaks or control characters'],
    [{ email: 'a@b.example', firstName: 1 }, 'firstName must be a string'],
    [
      { email: 'a@b.example', tags: Array.from({ length: 1_000 }, String) },
      'tags must contain no more than 100 elements',
    ],
    [
      { email: 'a@b.example', tags: ['x'.repeat(101)] },
      'each value in tags must be longer than or equal to 1 and shorter than or equal to 100 characters',
    ],
    [{ email: 'a@b.example', tags: 'vip' }, 'tags must be an array'],
    [{ email: 'a@b.example', tags: [1] }, 'each value in tags must be a string'],
    [{ email: 'a@b.example', status: 'bounced' }, 'status must be active or unsubscribed'],
    [{ email: 'a@b.example', status: '' }, 'status must be active or unsubscribed'],
    [{ email: 'a@b.example', listIds: ['nolist'] }, 'listIds: there is no list nolist'],
    [{ email: 'a@b.example', firstName: 'a\u0000' }, 'firstName holds a character that cannot be stored'],
    [{ email: 'a@b.example', tags: ['\ud800'] }, 'tags.0 holds a character that cannot be stored'],
    [{ email: 'a@b.example', consent: true }, 'consent is not a known field'],
  ])('refuses %.70j', async (body, message) => {
    await upsert(body).expect(400, badRequest(message));
    expect(await rows()).toEqual([]);
  });

  it('accepts keys with the scope, and admins', async () => {
    const contact = { email: 'a@b.example' };
    const { secret } = await account.createKey({ scopes: ['contacts:read'] });
    await service
      .request('post', '/api/contacts')
      .set('X-API-Key', secret)
      .send(contact)
      .expect(403, errorBody(403, 'API key is missing required scope: contacts:write'));
    await account.asMember('post', '/api/contacts').send(contact).expect(403);
    await account.asAdmin('post', '/api/contacts').send(contact).expect(201);
  });
});
