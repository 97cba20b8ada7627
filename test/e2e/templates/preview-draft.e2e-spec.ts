import { afterAll, beforeAll, describe, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('POST /api/templates/preview', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const preview = (body: object) => account.asMember('post', '/api/templates/preview').send(body);

  it('renders a draft and saves nothing', async () => {
    await preview({ subject: 'Hi {{name}}', html: '<p>{{name}}</p>', variables: { name: 'A & B' } }).expect(200, {
      subject: 'Hi A & B',
      html: '<p>A &amp; B</p>',
      text: null,
    });
    await account
      .asMember('get', '/api/templates')
      .expect(200, { items: [], total: 0, page: 1, pageSize: 25, totalPages: 0 });
  });

  it('refuses a draft that could not be saved', async () => {
    await preview({ subject: 'Hi' }).expect(400, badRequest('html or text is required'));
    await preview({ subject: 'Hi', text: '{{#open}}' }).expect(400);
    await preview({ subject: 'Hi', text: 'x', name: 'x' }).expect(400, badRequest('name is not a known field'));
  });
});
