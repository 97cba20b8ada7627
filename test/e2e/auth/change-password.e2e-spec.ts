import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const PASSWORD = 'correct horse battery staple';
const NEW = 'a better horse battery staple';

describe.each(['admin', 'member'] as const)('PATCH /api/auth/me by a user with the role %s', (role) => {
  let service: TestService;
  let account: TestAccount;
  let email: string;
  let token: string;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount({ name: 'Acme' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    email = `${newId(service.clock.now())}@example.com`;
    await account.asAdmin('post', '/api/users').send({ email, password: PASSWORD, role }).expect(201);
    token = await signIn();
  });

  const login = (password: string) => service.request('post', '/api/auth/login').send({ email, password });
  const signIn = async () => (await login(PASSWORD).expect(200)).body.accessToken as string;
  const me = (session: string) => service.request('get', '/api/auth/me', session);
  const change = (body: object, session = token) => service.request('patch', '/api/auth/me', session).send(body);

  it('sets the new password, ends all sessions and starts a new one', async () => {
    const other = await signIn();
    const { body, headers } = await change({ currentPassword: PASSWORD, password: NEW }).expect(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 43_200,
      user: { id: expect.any(String), email, role },
      account: { id: account.id, name: 'Acme' },
    });
    expect(headers['set-cookie']?.[0]).toMatch(/^service_device=/);
    await me(body.accessToken).expect(200);
    for (const ended of [token, other]) await me(ended).expect(401, errorBody(401, 'Invalid session'));
    await login(PASSWORD).expect(401);
    await login(NEW).expect(200);
  });

  it('counts a wrong current password as a failed login', async () => {
    const wrong = (n: number) => change({ currentPassword: `guess ${n}`, password: NEW });
    for (let n = 0; n < 5; n++) await wrong(n).expect(400, errorBody(400, 'currentPassword is wrong'));
    for (let n = 0; n < 5; n++) await login(`guess ${n}`).expect(401);
    const throttled = errorBody(429, 'Too many failed logins for this address');
    const { headers } = await wrong(10).expect(429, throttled);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(900);
    await change({ currentPassword: PASSWORD, password: NEW }).expect(429, throttled);
    await login(PASSWORD).expect(429, throttled);
    await me(token).expect(200);
  });

  it('applies one of two concurrent changes', async () => {
    const answers = await Promise.all(
      ['the first of two', 'the second of two'].map((password) => change({ currentPassword: PASSWORD, password })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect([
      [200, 400],
      [200, 409],
      [200, 401],
    ]).toContainEqual(statuses);
  });

  it.each([
    [{}, 'currentPassword must be a string; password must be a string'],
    [{ currentPassword: PASSWORD, password: 'short' }, 'password must be longer than or equal to 8 characters'],
    [{ currentPassword: PASSWORD, password: NEW, role: 'admin' }, 'role is not a known field'],
  ])('refuses %j', async (body, message) => {
    await change(body).expect(400, errorBody(400, message));
    await me(token).expect(200);
  });
});
