import { afterAll, beforeAll, describe, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('GET /api/suppressions/:id', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  it('returns the entry to members of its account only', async () => {
    const { body } = await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.com' }).expect(201);
    await account.asMember('get', `/api/suppressions/${body.id}`).expect(200, body);
    const other = await service.createAccount();
    const notFound = errorBody(404, 'Suppression not found');
    await other.asAdmin('get', `/api/suppressions/${body.id}`).expect(404, notFound);
    await account.asMember('get', `/api/suppressions/${body.id}?test=true`).expect(404, notFound);
    await account.asMember('get', `/api/suppressions/${'x'.repeat(300)}`).expect(404, notFound);
    await account.asMember('get', `/api/suppressions/${body.id}?test=1`).expect(400, badRequest('test must be true'));
  });
});
