import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('POST /api/api-keys', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount({ dailySendCap: 1_000 });
  });
  afterAll(() => service.stop());

  const create = (body: object) => account.asAdmin('post', '/api/api-keys').send(body);
  const refused = (message: string) => errorBody(400, message);

  it('returns the secret once and stores only its SHA-256', async () => {
    const { body } = await create({ name: 'Shop', scopes: ['send'] }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      name: 'Shop',
      mode: 'live',
      prefix: body.secret.slice(0, 8),
      scopes: ['send'],
      expiresAt: null,
      ipAllowlist: [],
      dailyLimit: null,
      status: 'active',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUsedAt: null,
      revokedAt: null,
      secret: expect.stringMatching(/^sk_[A-Za-z0-9_-]{43}$/),
    });
    const { body: read } = await account.asMember('get', `/api/api-keys/${body.id}`).expect(200);
    expect(read).not.toHaveProperty('secret');
    const [row] = await service.query<{ secret_hash: Buffer }>('SELECT secret_hash FROM api_keys WHERE id = $1', [
      body.id,
    ]);
    expect(row!.secret_hash).toEqual(createHash('sha256').update(body.secret).digest());
  });

  it('creates a test key, which the account manages like its live ones', async () => {
    const { body } = await create({ name: 'CI', scopes: ['send'], mode: 'test' }).expect(201);
    expect(body).toMatchObject({ mode: 'test', secret: expect.stringMatching(/^sk_test_[A-Za-z0-9_-]{43}$/) });
    expect(body.prefix).toBe(body.secret.slice(0, 13));
    await create({ name: 'CI', scopes: ['send'], mode: 'test', dailyLimit: 1_000_000 }).expect(201); // above the cap
    const path = `/api/api-keys/${body.id}`;
    expect((await account.asAdmin('patch', path).send({ dailyLimit: 5 }).expect(200)).body.dailyLimit).toBe(5);
    const listed = async (mode: string) =>
      (await account.asMember('get', `/api/api-keys?mode=${mode}`).expect(200)).body.items as { id: string }[];
    expect((await listed('test')).map(({ id }) => id)).toContain(body.id);
    expect((await listed('live')).map(({ id }) => id)).not.toContain(body.id);
    expect((await account.asAdmin('delete', path).expect(200)).body.status).toBe('revoked');
    const other = await service.createAccount();
    await other.asAdmin('get', path).expect(404);
  });

  it.each([
    ['10.0.0.0/8', 'a range'],
    ['example.com', 'a host name'],
    ['1.2.3', 'a part of an address'],
    ['1.2.3.4:80', 'an address with a port'],
  ])('refuses %s (%s) in the allowlist', async (address) => {
    await create({ name: 'Office', scopes: ['send'], ipAllowlist: ['192.0.2.1', address] }).expect(
      400,
      refused('ipAllowlist.1 must be an IPv4 or IPv6 address, not a range'),
    );
  });

  it.each([
    [{ scopes: ['send'] }, 'name must be a string'],
    [{ name: 'Shop', scopes: [] }, 'scopes should not be empty'],
    [{ name: 'Shop', scopes: ['send'], mode: 'staging' }, 'mode must be live or test'],
    [
      { name: 'Shop', scopes: ['admin'] },
      'scopes must be some of send, read_events, contacts:read, contacts:write, sms:send',
    ],
    [{ name: 'Shop', scopes: ['send'], dailyLimit: 0 }, 'dailyLimit must not be less than 1'],
    [
      { name: 'Shop', scopes: ['send'], dailyLimit: 1_000 },
      "dailyLimit must be lower than the account's daily cap of 1000",
    ],
    [{ name: 'Shop', scopes: ['send'], expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must lie in the future'],
    [{ name: 'Shop', scopes: ['send'], expiresAt: 'soon' }, 'expiresAt must be an ISO 8601 date-time'],
    [{ name: 'Shop', scopes: ['send'], expiresAt: 4e12 }, 'expiresAt must be an ISO 8601 date-time'],
    [{ name: 'Shop', scopes: ['send'], expiresAt: { toString: 1 } }, 'expiresAt must be an ISO 8601 date-time'],
    [
      { name: 'Shop', scopes: ['send'], colour: 'red', size: 1 },
      'colour is not a known field; size is not a known field',
    ],
    [{ name: 'a\u0000b', scopes: ['send'] }, 'name holds a character that cannot be stored'],
    [{ name: 'Shop', scopes: ['send', '\ud800'] }, 'scopes.1 holds a character that cannot be stored'],
  ])('refuses %j', async (body, message) => {
    await create(body).expect(400, refused(message));
  });
});
