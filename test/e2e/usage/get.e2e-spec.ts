import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('GET /api/usage', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount({ dailySendCap: 500 });
    await account.verifySender(SENDER);
  });

  const usage = async (of = account) => (await of.asMember('get', '/api/usage').expect(200)).body;
  const send = (secret: string) =>
    service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', secret)
      .send({ to: 'ada@example.org', fromEmail: SENDER, subject: 'Hello', text: 'Hello' })
      .expect(201);

  it("shows today's usage of the account and each of its keys", async () => {
    const [busy, quiet] = [await account.createKey(), await account.createKey()];
    await account.createKey();
    for (const { secret } of [busy, busy, quiet]) await send(secret);
    const resetsAt = new Date(service.clock.now());
    resetsAt.setUTCHours(24, 0, 0, 0);
    expect(await usage()).toEqual({
      cap: 500,
      used: 3,
      resetsAt: resetsAt.toISOString(),
      keys: [
        { apiKeyId: busy.id, used: 2 },
        { apiKeyId: quiet.id, used: 1 },
      ],
    });
    expect(await usage(await service.createAccount())).toMatchObject({ used: 0, keys: [] });
  });

  it('starts from zero at the next UTC midnight', async () => {
    const { secret } = await account.createKey();
    await send(secret);
    service.clock.advance({ days: 1 });
    expect(await usage()).toMatchObject({ used: 0, keys: [] });
  });
});
