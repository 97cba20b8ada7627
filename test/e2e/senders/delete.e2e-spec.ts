import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('DELETE /api/senders/:id', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const addSender = async (email: string) => {
    await account.verifySender(email);
    const { body } = await account.asMember('get', '/api/senders').expect(200);
    return body.items[0];
  };
  const notFound = errorBody(404, 'Sender not found');

  it('deletes the sender and returns it', async () => {
    const sender = await addSender('ada@example.com');
    await account.asAdmin('delete', `/api/senders/${sender.id}`).expect(200, sender);
    const { body } = await account.asMember('get', '/api/senders').expect(200);
    expect(body.items).toEqual([]);
    await account.asAdmin('delete', `/api/senders/${sender.id}`).expect(404, notFound);
  });

  it('deletes it once for concurrent requests', async () => {
    const { id } = await addSender('bob@example.com');
    const answers = await Promise.all([1, 2, 3].map(() => account.asAdmin('delete', `/api/senders/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });
});
