import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const FUTURE = '2099-01-01T00:00:00.000Z';

describe('PATCH /api/api-keys/:id', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount({ dailySendCap: 1_000 });
  });
  afterAll(() => service.stop());

  const create = async (wanted: object = {}) => {
    const { body } = await account
      .asAdmin('post', '/api/api-keys')
      .send({ name: 'Shop', scopes: ['send'], ...wanted })
      .expect(201);
    return body as { id: string; secret: string };
  };
  const change = (id: string, body: object) => account.asAdmin('patch', `/api/api-keys/${id}`).send(body);
  /** The body is validated last: 400 means that the key was accepted. */
  const call = (secret: string, from = '198.51.100.1') =>
    service.request('post', '/api/send/transactional').set('X-API-Key', secret).set('X-Forwarded-For', from).send({});

  it('changes the given fields, keeps the others and clears fields with null', async () => {
    const { secret, ...created } = await create();
    const changes = { name: 'Web shop', ipAllowlist: ['0:0:0:0:0:0:0:1', '::1'], expiresAt: FUTURE, dailyLimit: 10 };
    const changed = { ...created, ...changes, ipAllowlist: ['::1'] };
    expect((await change(created.id, changes).expect(200)).body).toEqual(changed);
    await change(created.id, {}).expect(200, changed);
    await change(created.id, { name: 'Shop' }).expect(200, { ...changed, name: 'Shop' });
    await change(created.id, { ipAllowlist: null, expiresAt: null, dailyLimit: null }).expect(200, created);
    expect(secret).toMatch(/^sk_/);
  });

  it('takes effect with the next call', async () => {
    const { id, secret } = await create();
    await call(secret).expect(400);
    await change(id, { ipAllowlist: ['203.0.113.7'] }).expect(200);
    await call(secret).expect(401, errorBody(401, 'API key denied for this client IP'));
    await call(secret, '203.0.113.7').expect(400);
    await change(id, { ipAllowlist: null, expiresAt: new Date(service.clock.now().getTime() + 1_000).toISOString() });
    service.clock.advance({ seconds: 2 });
    await call(secret).expect(401, errorBody(401, 'API key expired'));
    await change(id, { expiresAt: FUTURE }).expect(200);
    await call(secret).expect(400);
  });

  it.each([
    [{ name: null }, 'name must be a string'],
    [{ name: '' }, 'name must be longer than or equal to 1 characters'],
    [{ ipAllowlist: ['10.0.0.0/8'] }, 'ipAllowlist.0 must be an IPv4 or IPv6 address, not a range'],
    [{ expiresAt: '2020-01-01' }, 'expiresAt must lie in the future'],
    [{ expiresAt: 'soon' }, 'expiresAt must be an ISO 8601 date-time'],
    [{ dailyLimit: 0 }, 'dailyLimit must not be less than 1'],
    [{ dailyLimit: 1_000 }, "dailyLimit must be lower than the account's daily cap of 1000"],
    [{ scopes: ['send'] }, 'scopes is not a known field'],
  ])('refuses %j and changes nothing', async (body, message) => {
    const { id } = await create();
    const { body: before } = await account.asMember('get', `/api/api-keys/${id}`).expect(200);
    await change(id, body).expect(400, badRequest(message));
    await account.asMember('get', `/api/api-keys/${id}`).expect(200, before);
  });

  it('refuses a revoked key, also one that is revoked concurrently', async () => {
    const revoked = errorBody(409, 'The API key is revoked');
    const { id } = await create();
    await account.asAdmin('delete', `/api/api-keys/${id}`).expect(200);
    await change(id, { name: 'Other' }).expect(409, revoked);
    await account.asMember('get', `/api/api-keys/${id}`).expect(({ body }) => {
      expect(body.name).toBe('Shop');
    });

    const { id: racing } = await create();
    const [changed, ended] = await Promise.all([
      change(racing, { name: 'Other' }),
      account.asAdmin('delete', `/api/api-keys/${racing}`),
    ]);
    expect([200, 409]).toContain(changed.status);
    expect(ended.body.status).toBe('revoked');
    const { body: now } = await account.asMember('get', `/api/api-keys/${racing}`).expect(200);
    expect(now).toMatchObject({ status: 'revoked', name: changed.status === 200 ? 'Other' : 'Shop' });
  });
});

describe('GET /api/api-keys?status=', () => {
  it('lists the keys of one status with their total, and none of other accounts', async () => {
    const service = await TestService.shared();
    try {
      const [account, other] = [await service.createAccount(), await service.createAccount()];
      const soon = new Date(service.clock.now().getTime() + 1_000).toISOString();
      const create = async (of: TestAccount, name: string, wanted: object = {}): Promise<string> => {
        const body = { name, scopes: ['send'], ...wanted };
        return (await of.asAdmin('post', '/api/api-keys').send(body).expect(201)).body.id;
      };
      await create(account, 'plain');
      await create(account, 'later', { expiresAt: FUTURE });
      await create(account, 'expired', { expiresAt: soon });
      for (const name of ['revoked', 'revoked and expired'])
        await account
          .asAdmin('delete', `/api/api-keys/${await create(account, name, { expiresAt: soon })}`)
          .expect(200);
      for (const wanted of [{}, { expiresAt: soon }]) await create(other, 'of another account', wanted);
      service.clock.advance({ seconds: 2 });
      const list = async (query: string) => {
        const { body } = await account.asMember('get', `/api/api-keys?${query}`).expect(200);
        const names = (body.items as { name: string }[]).map(({ name }) => name).sort();
        return { names, total: body.total as number };
      };
      expect(await list('status=active')).toEqual({ names: ['later', 'plain'], total: 2 });
      expect(await list('status=expired')).toEqual({ names: ['expired'], total: 1 });
      expect(await list('status=revoked')).toEqual({ names: ['revoked', 'revoked and expired'], total: 2 });
      expect((await list('')).total).toBe(5);
      expect(await list('status=active&limit=1&page=2')).toMatchObject({ total: 2 });
      await account
        .asMember('get', '/api/api-keys?status=gone')
        .expect(400, badRequest('status must be one of active, expired, revoked'));
    } finally {
      await service.stop();
    }
  });
});
