import { afterAll, beforeAll, describe, it } from '@jest/globals';

import { TestService } from '../../support/service.js';

const AT_FIRST = {
  tracking: 'off',
  smtp: null,
  ses: null,
  sms: null,
  delivery: { state: 'active', reason: null, since: null, until: null },
};

describe('GET /api/settings', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  it('shows every user the settings of their own account', async () => {
    const acme = await service.createAccount({ name: 'Acme', dailySendCap: 500 });
    const other = await service.createAccount({ name: 'Other' });
    await acme
      .asMember('get', '/api/settings')
      .expect(200, { accountName: 'Acme', dailySendCap: 500, emailProvider: 'smtp', ...AT_FIRST });
    await other
      .asAdmin('get', '/api/settings')
      .expect(200, { accountName: 'Other', dailySendCap: 1_000, emailProvider: 'smtp', ...AT_FIRST });
  });

  it('needs a session', async () => {
    await service
      .request('get', '/api/settings')
      .expect(401, { message: 'Missing session', error: 'Unauthorized', statusCode: 401 });
  });
});
