import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('GET /api/senders', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    const other = await service.createAccount();
    for (const name of ['a', 'b', 'c']) {
      service.clock.advance({ seconds: 1 });
      await account.verifySender(`${name}@example.com`);
      await other.verifySender(`${name}@other.example`);
    }
  });
  afterAll(() => service.stop());

  it('lists the senders of the account a page at a time, newest first', async () => {
    const { body } = await account.asMember('get', '/api/senders?limit=2').expect(200);
    expect(body).toEqual({
      items: [
        {
          id: expect.stringMatching(/^c[a-z0-9]{24}$/),
          email: 'c@example.com',
          status: 'verified',
          verifiedAt: body.items[0].createdAt,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
        expect.objectContaining({ email: 'b@example.com' }),
      ],
      total: 3,
      page: 1,
      pageSize: 2,
      totalPages: 2,
    });
    const { body: second } = await account.asMember('get', '/api/senders?limit=2&page=2').expect(200);
    expect(second).toMatchObject({ items: [{ email: 'a@example.com' }], total: 3, page: 2 });
  });

  it.each([
    ['limit=101', 'limit must not be greater than 100'],
    ['page=0', 'page must not be less than 1'],
    ['status=verified', 'status is not a known field'],
  ])('refuses %s', async (query, message) => {
    await account.asMember('get', `/api/senders?${query}`).expect(400, errorBody(400, message));
  });
});
