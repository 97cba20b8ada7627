import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const PASSWORD = 'correct horse battery staple';

describe('POST /api/users', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const create = (body: object) => account.asAdmin('post', '/api/users').send(body);

  it('adds a user who can sign in to the account, and never returns the password', async () => {
    const { body } = await create({ email: 'Ada@Example.com', password: PASSWORD, role: 'member' }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      email: 'Ada@Example.com',
      role: 'member',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.createdAt,
    });
    const { body: session } = await service
      .request('post', '/api/auth/login')
      .send({ email: 'ada@example.com', password: PASSWORD })
      .expect(200);
    expect(session.user.id).toBe(body.id);
    expect(session.account.id).toBe(account.id);
  });

  it('refuses any spelling of the email of a user of the account', async () => {
    await create({ email: 'grace@bücher.example', password: PASSWORD, role: 'admin' }).expect(201);
    await create({ email: 'GRACE@xn--bcher-kva.example', password: PASSWORD, role: 'member' }).expect(
      409,
      errorBody(409, 'A user with the email GRACE@xn--bcher-kva.example exists already'),
    );
  });

  it('does not reveal whether another account has a user with the email', async () => {
    const other = await service.createAccount();
    const create = (of: TestAccount, email: string, password: string) =>
      of.asAdmin('post', '/api/users').send({ email, password, role: 'admin' });
    await create(other, 'hopper@example.com', 'the password there').expect(201);
    await create(account, 'hopper@example.com', PASSWORD).expect(201);
    await create(account, 'nobody-else@example.com', PASSWORD).expect(201);
    const { body: changed } = await create(account, 'changed@example.com', PASSWORD).expect(201);
    await create(other, 'taken-there@example.com', PASSWORD).expect(201);
    await account.asAdmin('patch', `/api/users/${changed.id}`).send({ email: 'taken-there@example.com' }).expect(200);
  });

  it('adds one user for two concurrent requests with the same email', async () => {
    const attempts = Array.from({ length: 5 }, () =>
      create({ email: 'twins@example.com', password: PASSWORD, role: 'member' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it.each([
    [{ email: 'ada', password: PASSWORD, role: 'admin' }, 'email must be an email address'],
    [
      { email: 'eve@example.com', password: '1234567', role: 'admin' },
      'password must be longer than or equal to 8 characters',
    ],
    [
      { email: 'eve@example.com', password: 'x'.repeat(201), role: 'admin' },
      'password must be shorter than or equal to 200 characters',
    ],
    [{ email: 'eve@example.com', password: PASSWORD, role: 'owner' }, 'role must be admin or member'],
    [{ email: 'eve@example.com', password: PASSWORD }, 'role must be admin or member'],
    [
      { email: 'eve@example.com', password: PASSWORD, role: 'admin', accountId: 'c123' },
      'accountId is not a known field',
    ],
  ])('refuses %j', async (body, message) => {
    await create(body).expect(400, errorBody(400, message));
  });
});
