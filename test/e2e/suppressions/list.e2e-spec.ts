import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('GET /api/suppressions', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    const other = await service.createAccount();
    const csv = [
      'address,reason',
      'ada@example.com,bounced',
      'bob_1@example.com,manual',
      'bobx1@example.com,complained',
      'per%cent@example.org,manual',
      '+14155550100,sms_opt_out',
    ].join('\n');
    for (const { asAdmin } of [bound(account), bound(other)]) {
      await asAdmin('post', '/api/suppressions/import').set('Content-Type', 'text/csv').send(csv).expect(200);
    }
  });
  afterAll(() => service.stop());

  const bound = (of: TestAccount) => ({ asAdmin: of.asAdmin.bind(of) });
  const list = (query: string) => account.asMember('get', `/api/suppressions${query}`);
  const addresses = async (query: string): Promise<string[]> => {
    const { body } = await list(query).expect(200);
    expect(body.total).toBe(body.items.length);
    return body.items.map(({ address }: { address: string }) => address).sort();
  };

  it.each([
    ['ADA@Example.com', ['ada@example.com']],
    [' ada@example.com', ['ada@example.com']],
    ['+1 (415) 555-0100', ['+14155550100']],
    ['4155550100', ['+14155550100']],
    ['da@example.com', []],
    ['bob%', 'fault'],
    ['nobody@', 'fault'],
  ])('finds the entry of the address %j in any spelling, and no other one', async (address, expected) => {
    const query = `?address=${encodeURIComponent(address)}`;
    if (expected !== 'fault') expect(await addresses(query)).toEqual(expected);
    else
      await list(query).expect(
        400,
        badRequest('address must be an email address or a phone number in E.164 format or of 10 digits (US)'),
      );
  });

  it('combines an address with other filters, but not with a search', async () => {
    expect(await addresses('?address=ada@example.com&channel=email&reason=bounced')).toHaveLength(1);
    for (const other of ['channel=sms', 'reason=manual']) {
      expect(await addresses(`?address=ada@example.com&${other}`)).toEqual([]);
    }
    const { body } = await list('?address=ada@example.com&page=2').expect(200);
    expect(body).toMatchObject({ items: [], total: 1, totalPages: 1 });
    await list('?address=ada@example.com&search=ada').expect(400, badRequest('Give either search or address'));
  });

  it('finds the entry of an erased address', async () => {
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send({ email: 'joan@example.net' });
    await account.asAdmin('post', `/api/contacts/${contact.id}/erase`).expect(200);
    const { body } = await list('?address=JOAN@example.net').expect(200);
    expect(body.items).toMatchObject([{ address: null, erased: true }]);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
  });

  it('is for keys with contacts:read, each of its own account', async () => {
    const { secret } = await account.createKey({ scopes: ['contacts:read'] });
    const byKey = (query = '') => service.request('get', `/api/suppressions${query}`).set('X-API-Key', secret);
    const { body } = await byKey('?address=ada@example.com').expect(200);
    expect(body.items).toMatchObject([{ address: 'ada@example.com', reason: 'bounced' }]);
    const { secret: other } = await account.createKey({ scopes: ['contacts:write'] });
    await service.request('get', '/api/suppressions').set('X-API-Key', other).expect(403);
    const { secret: stranger } = await (await service.createAccount()).createKey({ scopes: ['contacts:read'] });
    const { body: theirs } = await service.request('get', '/api/suppressions').set('X-API-Key', stranger).expect(200);
    expect(theirs.items).toEqual([]);
  });

  it("lists the account's entries page by page, newest first", async () => {
    const { body: all } = await list('').expect(200);
    expect(all).toMatchObject({ total: 5, page: 1, pageSize: 25, totalPages: 1 });
    const ids = all.items.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    await list('?limit=2&page=3').expect(200, {
      items: all.items.slice(4),
      total: 5,
      page: 3,
      pageSize: 2,
      totalPages: 3,
    });
    await list('?page=9').expect(200, { items: [], total: 5, page: 9, pageSize: 25, totalPages: 1 });
  });

  it.each([
    ['?search=EXAMPLE.org', ['per%cent@example.org']],
    ['?search=b_1', ['bob_1@example.com']],
    ['?search=%25', ['per%cent@example.org']],
    ['?search=%5C', []],
    ['?search=%2B1415', ['+14155550100']],
    ['?channel=sms', ['+14155550100']],
    ['?reason=manual', ['bob_1@example.com', 'per%cent@example.org']],
    ['?channel=email&reason=manual&search=bob', ['bob_1@example.com']],
  ])('finds by %s, literally and in any case', async (query, expected) => {
    expect(await addresses(query)).toEqual(expected);
  });

  it.each(['bücher', 'BU\u0308CHER', 'ǰ', 'J\u030C', 'ǰim@bücher.exa', 'xn--bcher-kva', 'j\u030Cim@xn--bcher'])(
    'finds an internationalised address by %s, however it is written',
    async (search) => {
      const account = await service.createAccount();
      for (const email of ['J\u030Cim@Bu\u0308cher.example', 'ada@example.com'])
        await account.asAdmin('post', '/api/suppressions').send({ email }).expect(201);
      const { body } = await account
        .asMember('get', `/api/suppressions?search=${encodeURIComponent(search)}`)
        .expect(200);
      expect(body.items.map(({ address }: { address: string }) => address)).toEqual(['J\u030Cim@Bu\u0308cher.example']);
      expect(body.total).toBe(1);
    },
  );

  it.each([
    ['?channel=fax', 'channel must be email or sms'],
    ['?reason=spite', 'reason must be one of unsubscribed, bounced, complained, manual, sms_opt_out'],
    [`?search=${'x'.repeat(201)}`, 'search must be shorter than or equal to 200 characters'],
    ['?search=', 'search must be longer than or equal to 1 characters'],
    ['?search=a&search=b', 'search must be a string'],
    ['?search=%00', 'search must not hold line breaks or control characters'],
    ['?addresses=x', 'addresses is not a known field'],
    ['?page=0', 'page must not be less than 1'],
  ])('refuses %.30s', async (query, message) => {
    await list(query).expect(400, badRequest(message));
  });
});
