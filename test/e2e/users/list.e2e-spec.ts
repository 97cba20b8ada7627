import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('GET /api/users', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    await service.createAccount();
  });
  afterAll(() => service.stop());

  it("lists only the account's users, newest first, without password hashes", async () => {
    service.clock.advance({ seconds: 1 });
    const { body: user } = await account
      .asAdmin('post', '/api/users')
      .send({ email: 'ada@example.com', password: 'correct horse', role: 'member' })
      .expect(201);
    const { body } = await account.asAdmin('get', '/api/users').expect(200);
    expect(body).toMatchObject({ total: 3, page: 1, pageSize: 25, totalPages: 1 });
    expect(body.items[0]).toEqual(user);
    expect(body.items.map(({ role }: { role: string }) => role).sort()).toEqual(['admin', 'member', 'member']);
  });

  it('lists page by page', async () => {
    const { body } = await account.asAdmin('get', '/api/users?page=2&limit=2').expect(200);
    expect(body).toMatchObject({ page: 2, pageSize: 2 });
    expect(body.items).toHaveLength(body.total - 2);
    await account
      .asAdmin('get', '/api/users?limit=101')
      .expect(400, errorBody(400, 'limit must not be greater than 100'));
  });
});
