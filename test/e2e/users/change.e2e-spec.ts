import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import { badRequest, errorBody } from '../../support/errors.js';
import type { TestAccount } from '../../support/account.js';
import { raceForAccount } from '../../support/race.js';
import { TestService } from '../../support/service.js';

const PASSWORD = 'correct horse battery staple';
const NOT_FOUND = errorBody(404, 'User not found');

describe('PATCH /api/users/:id', () => {
  let service: TestService;
  let account: TestAccount;
  let user: { id: string; email: string };

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    account = await service.createAccount();
    user = await create('member');
  });

  const create = async (role: 'admin' | 'member') => {
    const email = `${newId(service.clock.now())}@example.com`;
    const { body } = await account.asAdmin('post', '/api/users').send({ email, password: PASSWORD, role }).expect(201);
    return body as { id: string; email: string };
  };
  const change = (id: string, body: object) => account.asAdmin('patch', `/api/users/${id}`).send(body);
  const login = (email: string, password: string) =>
    service.request('post', '/api/auth/login').send({ email, password });
  const adminIds = async () => {
    const rows = await service.query<{ id: string }>(
      "SELECT id FROM users WHERE account_id = $1 AND role = 'admin' ORDER BY id",
      [account.id],
    );
    return rows.map(({ id }) => id);
  };

  it('changes the given fields and keeps the others', async () => {
    service.clock.advance({ seconds: 5 });
    const { body } = await change(user.id, { role: 'admin' }).expect(200);
    expect(body).toEqual({ ...user, role: 'admin', updatedAt: expect.any(String) });
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(body.createdAt));
    await login(user.email, PASSWORD).expect(200);
  });

  it('changes the email and the password that the user signs in with', async () => {
    const email = `new-${user.email}`;
    await change(user.id, { email, password: 'another password' }).expect(200);
    await login(email, 'another password').expect(200);
    await login(email, PASSWORD).expect(401);
    await login(user.email, 'another password').expect(401);
  });

  it('loses none of several concurrent changes', async () => {
    const email = `new-${user.email}`;
    await raceForAccount(service, account.id, [
      () => change(user.id, { email }).expect(200),
      () => change(user.id, { role: 'admin' }).expect(200),
      () => change(user.id, { password: 'another password' }).expect(200),
    ]);
    const { body } = await login(email, 'another password').expect(200);
    expect(body.user).toEqual({ id: user.id, email, role: 'admin' });
  });

  it('refuses the email of another user, in any spelling, but not a new spelling of their own', async () => {
    const other = await create('member');
    const taken = other.email.toUpperCase();
    await change(user.id, { email: taken }).expect(
      409,
      errorBody(409, `A user with the email ${taken} exists already`),
    );
    await change(other.id, { email: taken }).expect(200);
  });

  it('does not demote the last admin', async () => {
    const [admin] = await adminIds();
    await change(admin!, { role: 'member' }).expect(
      409,
      errorBody(409, 'The last admin of an account cannot be demoted'),
    );
    await change(admin!, { role: 'admin' }).expect(200);
    await change(user.id, { role: 'admin' }).expect(200);
    await change(admin!, { role: 'member' }).expect(200);
  });

  it('keeps one admin when two demote each other concurrently', async () => {
    const other = await create('admin');
    const { body } = await login(other.email, PASSWORD).expect(200);
    const [admin] = (await adminIds()).filter((id) => id !== other.id);
    const answers = await raceForAccount(service, account.id, [
      () => change(other.id, { role: 'member' }),
      () => service.request('patch', `/api/users/${admin!}`, body.accessToken).send({ role: 'member' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await adminIds()).toHaveLength(1);
  });

  it.each([
    [{ email: null }, 'email must be an email address'],
    [{ role: null }, 'role must be admin or member'],
    [{ password: 'short' }, 'password must be longer than or equal to 8 characters'],
    [{ name: 'Ada' }, 'name is not a known field'],
  ])('refuses %j', async (body, message) => {
    await change(user.id, body).expect(400, errorBody(400, message));
  });

  it('does not find a user of another account or an invalid id', async () => {
    const other = await service.createAccount();
    await other.asAdmin('patch', `/api/users/${user.id}`).send({ role: 'admin' }).expect(404, NOT_FOUND);
    await change('nobody', { role: 'admin' }).expect(404, NOT_FOUND);
    await change('%00', { role: 'admin' }).expect(400, badRequest('The path holds a character that cannot be stored'));
    expect(await adminIds()).not.toContain(user.id);
  });
});
