import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { LoginAttempts } from '../../../src/modules/accounts/application/login-attempts.service.js';
import { PasswordHasher } from '../../../src/modules/accounts/application/ports/password-hasher.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const PASSWORD = 'correct horse battery staple';
const WRONG = errorBody(401, 'Invalid email or password');
const THROTTLED = errorBody(429, 'Too many failed logins for this address');

describe('POST /api/auth/login', () => {
  let service: TestService;
  let account: TestAccount;
  let user: { id: string; email: string; role: string };

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount({ name: 'Acme' });
  });
  afterAll(() => service.stop());

  const newAddress = () => `${newId(service.clock.now())}@example.com`;

  afterEach(() => {
    service.clock.unfreeze();
  });
  beforeEach(async () => {
    service.clock.freeze();
    const { body } = await account
      .asAdmin('post', '/api/users')
      .send({ email: newAddress(), password: PASSWORD, role: 'member' })
      .expect(201);
    user = body;
  });

  const login = (email: string, password: string) =>
    service.request('post', '/api/auth/login').send({ email, password });

  const guess = async (email: string, times: number) => {
    for (let n = 0; n < times; n++) await login(email, `guess ${n}`).expect(401, WRONG);
  };

  it('starts a session of twelve hours', async () => {
    const { body } = await login(user.email, PASSWORD).expect(200);
    expect(body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 43_200,
      user: { id: user.id, email: user.email, role: 'member' },
      account: { id: account.id, name: 'Acme' },
    });
    const [header, claims] = body.accessToken
      .split('.')
      .slice(0, 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(header.alg).toBe('HS256');
    expect(claims).toMatchObject({ sub: user.id, accountId: account.id, role: 'member' });
    expect(claims.exp - claims.iat).toBe(43_200);
    await service.request('get', '/api/auth/me', body.accessToken).expect(200);
  });

  it('accepts any spelling of the email', async () => {
    await login(` ${user.email.toUpperCase()} `, PASSWORD).expect(200);
  });

  it('answers an unknown email like a wrong password', async () => {
    await login(user.email, 'a guess').expect(401, WRONG);
    await login(newAddress(), 'a guess').expect(401, WRONG);
  });

  it('stores the password as an argon2id hash', async () => {
    const [row] = await service.query<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [
      user.id,
    ]);
    expect(row!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('refuses logins, even with the right password, for 15 minutes after the first of 10 failures', async () => {
    await guess(user.email, 10);
    await login(user.email.toUpperCase(), PASSWORD).expect(429, THROTTLED).expect('Retry-After', '900');
    service.clock.advance({ minutes: 14 });
    await login(user.email, PASSWORD).expect(429, THROTTLED);
    service.clock.advance({ minutes: 1 });
    await login(user.email, PASSWORD).expect(200);
  });

  it('throttles an unknown email in the same way', async () => {
    const email = newAddress();
    await guess(email, 10);
    await login(email, PASSWORD).expect(429, THROTTLED);
    await login(user.email, PASSWORD).expect(200);
  });

  it('does not count successes, and does not refund failures after one', async () => {
    await guess(user.email, 9);
    for (let n = 0; n < 3; n++) await login(user.email, PASSWORD).expect(200);
    await guess(user.email, 1);
    await login(user.email, PASSWORD).expect(429);
  });

  describe('of a user of several accounts', () => {
    let other: TestAccount;
    const THERE = 'the password of the other account';
    const invite = async (to: TestAccount, email: string, password: string) => {
      service.clock.advance({ seconds: 1 });
      await to.asAdmin('post', '/api/users').send({ email, password, role: 'member' }).expect(201);
    };
    const accountOf = async (email: string, password: string, accountId?: string): Promise<string> => {
      const call = service.request('post', '/api/auth/login').send({ email, password, accountId });
      return (await call.expect(200)).body.account.id;
    };
    beforeEach(async () => {
      other = await service.createAccount();
    });

    it('selects the account by the password', async () => {
      await invite(other, user.email, THERE);
      expect(await accountOf(user.email, PASSWORD)).toBe(account.id);
      expect(await accountOf(user.email, THERE)).toBe(other.id);
      await login(user.email, 'neither').expect(401, WRONG);
    });

    it('selects the oldest account with the password, or the one that is named', async () => {
      await invite(other, user.email, PASSWORD);
      expect(await accountOf(user.email, PASSWORD)).toBe(account.id);
      expect(await accountOf(user.email, PASSWORD, other.id)).toBe(other.id);
      const third = await service.createAccount();
      const call = service.request('post', '/api/auth/login');
      await call.send({ email: user.email, password: PASSWORD, accountId: third.id }).expect(401, WRONG);
    });

    it('selects a named account beyond those whose passwords are checked', async () => {
      const accounts = await Promise.all(Array.from({ length: 4 }, () => service.createAccount()));
      for (const [i, to] of accounts.entries()) await invite(to, user.email, `password number ${i}`);
      await login(user.email, 'password number 3').expect(401);
      expect(await accountOf(user.email, 'password number 3', accounts[3]!.id)).toBe(accounts[3]!.id);
    });

    it('does not allow more guesses at one password by successes with another', async () => {
      await invite(other, user.email, THERE);
      await guess(user.email, 5);
      for (let n = 0; n < 3; n++) await login(user.email, THERE).expect(200);
      await guess(user.email, 4);
      await login(user.email, THERE).expect(429);
    });

    it('does the same amount of hashing for every email, known or not', async () => {
      await invite(other, user.email, THERE);
      const single = newAddress();
      await invite(account, single, PASSWORD);
      const verify = jest.spyOn(service.app.get(PasswordHasher, { strict: false }), 'verify');
      try {
        const work: number[] = [];
        for (const [email, password] of [
          [user.email, 'wrong'],
          [user.email, PASSWORD],
          [user.email, THERE],
          [single, 'wrong'],
          [single, PASSWORD],
          [newAddress(), 'wrong'],
        ] as const) {
          verify.mockClear();
          await login(email, password);
          work.push(verify.mock.calls.length);
        }
        expect(work).toEqual([3, 3, 3, 3, 3, 3]);
      } finally {
        verify.mockRestore();
      }
    });
  });

  it('allows exactly 10 of many concurrent guesses in each window', async () => {
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => login(user.email, `guess ${n}`)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(15);
      service.clock.advance({ minutes: 15 });
    }
  });

  it('removes ended throttles on schedule, and keeps the others', async () => {
    const [ended, running] = [newAddress(), newAddress()];
    await guess(ended, 1);
    service.clock.advance({ minutes: 10 });
    await guess(running, 1);
    service.clock.advance({ minutes: 5 });
    await service.app.get(LoginAttempts, { strict: false }).removeEnded();
    expect(await service.query('SELECT address FROM login_throttles')).toEqual([{ address: running }]);
  });

  it.each([
    [{}, 'email must be a string; password must be a string'],
    [{ email: 7, password: PASSWORD }, 'email must be a string'],
    [{ email: 'ada@example.com', password: ['x'] }, 'password must be a string'],
    [
      { email: 'ada@example.com', password: 'x'.repeat(201) },
      'password must be shorter than or equal to 200 characters',
    ],
    [{ email: 'a'.repeat(255), password: 'x' }, 'email must be shorter than or equal to 254 characters'],
    [{ email: 'ada@example.com', password: 'x', remember: true }, 'remember is not a known field'],
    [{ email: 'a\u0000b', password: 'x' }, 'email holds a character that cannot be stored'],
  ])('refuses %j', async (body, message) => {
    await service.request('post', '/api/auth/login').send(body).expect(400, errorBody(400, message));
  });
});
