import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const PASSWORD = 'correct horse battery staple';
const THROTTLED = errorBody(429, 'Too many failed logins for this address');

describe('A stranger who guesses the password of a user', () => {
  let service: TestService;
  let account: TestAccount;
  let email: string;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    email = await addUser();
  });

  const addUser = async () => {
    const address = `${newId(service.clock.now())}@example.com`;
    await account.asAdmin('post', '/api/users').send({ email: address, password: PASSWORD, role: 'admin' }).expect(201);
    return address;
  };
  const login = (password: string, cookie?: string, address = email) => {
    const request = service.request('post', '/api/auth/login').send({ email: address, password });
    return cookie === undefined ? request : request.set('Cookie', cookie);
  };
  const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
    (headers['set-cookie'] as string[])[0]!.split(';')[0]!;
  const lockOut = async () => {
    for (let n = 0; n < 10; n++) await login(`guess ${n}`).expect(401);
    await login(PASSWORD).expect(429, THROTTLED);
  };

  it('locks out only strangers: a browser in which the user has signed in still works', async () => {
    const cookie = cookieOf(await login(PASSWORD).expect(200));
    await lockOut();
    const again = await login(PASSWORD, cookie).expect(200);
    await login(PASSWORD).expect(429, THROTTLED);
    await login(PASSWORD, cookieOf(again)).expect(200);
  });

  it('cannot read the cookie by scripts, from other sites or on other paths', async () => {
    const { headers } = await login(PASSWORD).expect(200);
    expect((headers['set-cookie'] as unknown as string[])[0]).toMatch(
      /^service_device=[\w-]{22}\.[\w-]{43}; Max-Age=31536000; Path=\/api\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    const https = await TestService.start({ ROLE: 'api', BASE_URL: 'https://mail.example.com/x/', BRAND: 'Acme' });
    const other = await https.createAccount();
    await other.asAdmin('post', '/api/users').send({ email, password: PASSWORD, role: 'admin' }).expect(201);
    const secure = await https.request('post', '/api/auth/login').send({ email, password: PASSWORD }).expect(200);
    expect((secure.headers['set-cookie'] as unknown as string[])[0]).toMatch(
      /^acme_device=.*; Path=\/x\/api\/auth;.*; HttpOnly; Secure; SameSite=Strict$/,
    );
    await https.stop();
  });

  it('gains nothing from a forged cookie or that of another user', async () => {
    const cookie = cookieOf(await login(PASSWORD).expect(200));
    const others = cookieOf(await login(PASSWORD, undefined, await addUser()).expect(200));
    await lockOut();
    const altered = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`;
    const shifted = cookie.replace('=', '=A').slice(0, -1);
    for (const forged of [others, altered, shifted, 'service_device=', `service_device=${'a.'.repeat(3_000)}`])
      await login(PASSWORD, forged).expect(429, THROTTLED);
  });

  it('who has the cookie has 10 guesses, even for concurrent requests', async () => {
    const cookie = cookieOf(await login(PASSWORD).expect(200));
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => login(`guess ${n}`, cookie)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    await login(PASSWORD, cookie).expect(429, THROTTLED);
    await login(PASSWORD).expect(200);
  });

  it('who has the cookie gains nothing from it once the password is changed', async () => {
    const first = await login(PASSWORD).expect(200);
    const password = 'another battery staple';
    const changed = await service
      .request('patch', '/api/auth/me', first.body.accessToken)
      .send({ currentPassword: PASSWORD, password })
      .set('Cookie', cookieOf(first))
      .expect(200);
    for (let n = 0; n < 10; n++) await login(`guess ${n}`, cookieOf(first)).expect(401);
    await login(password, cookieOf(first)).expect(429, THROTTLED);
    await login(password).expect(429, THROTTLED);
    await login(password, cookieOf(changed)).expect(200);
  });

  it('does not affect a browser of several users', async () => {
    const first = cookieOf(await login(PASSWORD).expect(200));
    const both = cookieOf(await login(PASSWORD, first, await addUser()).expect(200));
    await lockOut();
    await login(PASSWORD, both).expect(200);
  });

  it('gets no more guesses as the admin of another account who sets the password of a user with the same email', async () => {
    const other = await service.createAccount();
    const user = { email, password: 'my first password', role: 'member' };
    const { body } = await other.asAdmin('post', '/api/users').send(user).expect(201);
    const setPassword = (password: string) =>
      other.asAdmin('patch', `/api/users/${body.id}`).send({ password }).expect(200);
    for (let n = 0; n < 10; n++) {
      await setPassword(`my password ${n}`);
      const { headers } = await login(`my password ${n}`).expect(200);
      expect(headers['set-cookie']).toBeDefined();
    }
    await setPassword('my last password');
    await login('my last password').expect(429, THROTTLED);
    await login(PASSWORD).expect(429, THROTTLED);
  });

  it('gets no more guesses as that admin by giving the user another email in between', async () => {
    const [other, third] = [await service.createAccount(), await service.createAccount()];
    const user = { password: 'my first password', role: 'member' };
    const decoys = [0, 1].map((n) => `${n}.${email}`);
    for (const decoy of decoys)
      await third
        .asAdmin('post', '/api/users')
        .send({ ...user, email: decoy })
        .expect(201);
    const { body } = await other
      .asAdmin('post', '/api/users')
      .send({ ...user, email })
      .expect(201);
    const change = (fields: object) => other.asAdmin('patch', `/api/users/${body.id}`).send(fields).expect(200);
    for (let n = 0; n < 11; n++) {
      const [decoy, password] = [decoys[n % 2]!, `my password ${n}`];
      await change({ email: decoy, password });
      await login(password, undefined, decoy).expect(200);
      await change({ email });
      await login(password).expect(n < 10 ? 200 : 429);
    }
  });

  it('may sign in any number of times if the email belongs to users of two accounts', async () => {
    const other = await service.createAccount();
    const password = 'the password of the other account';
    await other.asAdmin('post', '/api/users').send({ email, password, role: 'member' }).expect(201);
    for (let n = 0; n < 12; n++) await login(n % 2 ? password : PASSWORD).expect(200);
  });

  it('locks out only unknown browsers by spoofing the network of a user', async () => {
    const from = (client: string, cookie?: string) => login(PASSWORD, cookie).set('X-Forwarded-For', client);
    const cookie = cookieOf(await from('192.0.2.77').expect(200));
    await service.query(`UPDATE login_client_throttles SET failures = 200 WHERE subject = '192.0.2.77'`);
    await from('192.0.2.77').expect(429, errorBody(429, 'Too many failed logins from this client'));
    await from('192.0.2.77', cookie).expect(200);
    for (let n = 0; n < 10; n++) await login(`guess ${n}`, cookie).set('X-Forwarded-For', '192.0.2.77');
    await from('192.0.2.77', cookie).expect(429);
  });

  it('gets no more guesses when the user signs in', async () => {
    const cookie = cookieOf(await login(PASSWORD).expect(200));
    await lockOut();
    await login(PASSWORD, cookie).expect(200);
    await login('a guess').expect(429, THROTTLED);
  });
});
