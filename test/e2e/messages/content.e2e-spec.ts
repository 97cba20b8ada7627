import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('GET /api/messages/:id/content', () => {
  let service: TestService;
  let account: TestAccount;
  let id: string;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    await account.verifySender(SENDER);
    const { secret } = await account.createKey();
    const { body } = await service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', secret)
      .send({
        to: 'ada@example.org',
        fromEmail: SENDER,
        subject: 'Hello',
        html: '<p>Hello</p>',
        unsubscribeUrl: 'https://shop.example.com/stop',
      })
      .expect(201);
    id = body.messageLogId;
  });
  afterAll(() => service.stop());

  const content = () => account.asMember('get', `/api/messages/${id}/content`);

  it('shows the content as it was accepted', async () => {
    const { headers } = await content().expect(200, {
      isKept: true,
      html: '<p>Hello</p>',
      text: null,
      unsubscribeUrl: 'https://shop.example.com/stop',
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('reports that the content was purged', async () => {
    await service.query('DELETE FROM message_contents WHERE message_id = $1', [id]);
    await content().expect(200, { isKept: false, html: null, text: null, unsubscribeUrl: null });
  });
});
