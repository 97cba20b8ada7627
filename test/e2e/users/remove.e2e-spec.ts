import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { raceForAccount } from '../../support/race.js';
import { TestService } from '../../support/service.js';

const NOT_FOUND = errorBody(404, 'User not found');

describe('DELETE /api/users/:id', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    account = await service.createAccount();
  });

  const create = async (role: 'admin' | 'member') => {
    const email = `${newId(service.clock.now())}@example.com`;
    const { body } = await account
      .asAdmin('post', '/api/users')
      .send({ email, password: 'correct horse', role })
      .expect(201);
    return body as { id: string; email: string };
  };
  const remove = (id: string) => account.asAdmin('delete', `/api/users/${id}`);
  const adminIds = async () => {
    const rows = await service.query<{ id: string }>("SELECT id FROM users WHERE account_id = $1 AND role = 'admin'", [
      account.id,
    ]);
    return rows.map(({ id }) => id);
  };

  it('removes the user, who can no longer sign in, and frees the email', async () => {
    const user = await create('member');
    await remove(user.id).expect(200, user);
    await remove(user.id).expect(404, NOT_FOUND);
    await service
      .request('post', '/api/auth/login')
      .send({ email: user.email, password: 'correct horse' })
      .expect(401, errorBody(401, 'Invalid email or password'));
    await account
      .asAdmin('post', '/api/users')
      .send({ email: user.email, password: 'correct horse', role: 'member' })
      .expect(201);
  });

  it('does not remove the last admin', async () => {
    const [admin] = await adminIds();
    await remove(admin!).expect(409, errorBody(409, 'The last admin of an account cannot be removed'));
    const second = await create('admin');
    await remove(second.id).expect(200);
    expect(await adminIds()).toEqual([admin]);
  });

  it('keeps one admin when one removes another who demotes them concurrently', async () => {
    const other = await create('admin');
    const { body } = await service
      .request('post', '/api/auth/login')
      .send({ email: other.email, password: 'correct horse' })
      .expect(200);
    const [admin] = (await adminIds()).filter((id) => id !== other.id);
    const answers = await raceForAccount(service, account.id, [
      () => remove(other.id),
      () => service.request('patch', `/api/users/${admin!}`, body.accessToken).send({ role: 'member' }),
    ]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect([404, 409]).toContain(statuses[1]);
    expect(await adminIds()).toHaveLength(1);
  });
});
