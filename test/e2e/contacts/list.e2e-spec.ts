import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('GET /api/contacts', () => {
  let service: TestService;
  let account: TestAccount;
  let listId: string;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    const other = await service.createAccount();
    ({ id: listId } = (await account.asAdmin('post', '/api/lists').send({ name: 'Newsletter' }).expect(201)).body);
    const people = [
      { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', company: 'Engines 100%', tags: ['vip'] },
      { email: 'bob_1@example.com', firstName: 'Bob', tags: ['vip', 'trial'], status: 'unsubscribed' },
      { email: 'bobx1@example.com', company: 'Über', tags: ['trial'] },
      { email: 'carol@example.org', tags: ['VIP'] },
    ];
    for (const [of, extra] of [
      [account, { listIds: [listId] }],
      [other, {}],
    ] as const) {
      for (const [i, person] of people.entries()) {
        service.clock.advance({ seconds: 1 });
        const lists = i < 2 ? extra : {};
        await of
          .asAdmin('post', '/api/contacts')
          .send({ ...person, ...lists })
          .expect(201);
      }
    }
  });
  afterAll(() => service.stop());

  const list = (query: string) => account.asMember('get', `/api/contacts${query}`);
  const names = async (query: string): Promise<string[]> => {
    const { body } = await list(query).expect(200);
    expect(body).toMatchObject({ total: body.items.length, totalIsEstimate: false });
    return body.items.map(({ email }: { email: string }) => email.split('@')[0]);
  };

  it.each(['bücher', 'BU\u0308CHER', '@bücher.exa', 'xn--bcher-kva', 'jose\u0301', 'José'])(
    'finds %s, however it was written',
    async (search) => {
      const { asAdmin, asMember } = await service.createAccount().then((of) => ({
        asAdmin: of.asAdmin.bind(of),
        asMember: of.asMember.bind(of),
      }));
      const people = [
        { email: 'composed@b\u00FCcher.example', firstName: 'Jos\u00E9' },
        { email: 'decomposed@bu\u0308cher.example', firstName: 'Jose\u0301' },
        { email: 'ascii@xn--bcher-kva.example', firstName: 'Jos\u00E9' },
        { email: 'ada@example.com', firstName: 'Ada' },
      ];
      for (const person of people) await asAdmin('post', '/api/contacts').send(person).expect(201);
      const { body } = await asMember('get', `/api/contacts?search=${encodeURIComponent(search)}`).expect(200);
      expect(body.total).toBe(3);
    },
  );

  it("lists the account's contacts page by page, newest first", async () => {
    const { body: all } = await list('').expect(200);
    expect(all).toMatchObject({ total: 4, totalIsEstimate: false, page: 1, pageSize: 25, totalPages: 1 });
    expect(await names('')).toEqual(['carol', 'bobx1', 'bob_1', 'ada']);
    await list('?limit=3&page=2').expect(200, {
      items: all.items.slice(3),
      total: 4,
      page: 2,
      pageSize: 3,
      totalPages: 2,
      totalIsEstimate: false,
    });
    await list('?page=9').expect(({ body }) => {
      expect(body).toMatchObject({ items: [], total: 4 });
    });
  });

  it.each([
    ['?search=EXAMPLE.org', ['carol']],
    ['?search=b_1', ['bob_1']],
    ['?search=%25', ['ada']],
    ['?search=ada%20love', ['ada']],
    ['?search=%C3%BCber', ['bobx1']],
    ['?search=o', ['carol', 'bobx1', 'bob_1', 'ada']],
    ['?status=unsubscribed', ['bob_1']],
    ['?status=bounced', []],
    ['?tag=vip', ['bob_1', 'ada']],
    ['?tag=none', []],
    ['?tag=trial&status=active', ['bobx1']],
    ['?tag=vip&search=love', ['ada']],
    ['?tag=vip&search=bob&status=unsubscribed', ['bob_1']],
  ])('%s finds %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('finds the contacts of a list', async () => {
    expect(await names(`?listId=${listId}`)).toEqual(['bob_1', 'ada']);
    expect(await names(`?listId=${listId}&tag=trial`)).toEqual(['bob_1']);
    expect(await names(`?listId=${listId}&status=active&search=ada`)).toEqual(['ada']);
  });

  it.each([
    ['?listId=nolist', 'listId: there is no list nolist'],
    ['?status=gone', 'status must be one of active, unsubscribed, bounced, complained'],
    ['?limit=101', 'limit must not be greater than 100'],
    ['?page=0', 'page must not be less than 1'],
    ['?search=', 'search must be longer than or equal to 1 characters'],
    ['?search=%00', 'search must not hold line breaks or control characters'],
    ['?tag=%00', 'tag must not hold line breaks or control characters'],
    ['?sort=email', 'sort is not a known field'],
  ])('refuses %s', async (query, message) => {
    await list(query).expect(400, badRequest(message));
  });

  it('accepts keys with the scope', async () => {
    const { secret } = await account.createKey({ scopes: ['contacts:read'] });
    await service.request('get', '/api/contacts').set('X-API-Key', secret).expect(200);
  });
});
