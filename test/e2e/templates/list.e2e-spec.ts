import { afterAll, beforeAll, describe, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

describe('GET /api/templates', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    const other = await service.createAccount();
    await other.asAdmin('post', '/api/templates').send({ name: 'Theirs', subject: 'x', text: 'x' }).expect(201);
  });
  afterAll(() => service.stop());

  it("lists the account's templates page by page, newest first", async () => {
    await account
      .asMember('get', '/api/templates')
      .expect(200, { items: [], total: 0, page: 1, pageSize: 25, totalPages: 0 });
    const templates: unknown[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      service.clock.advance({ seconds: 1 });
      const { body } = await account
        .asAdmin('post', '/api/templates')
        .send({ name, subject: '{{a}}', text: 'x' })
        .expect(201);
      templates.unshift(body);
    }
    const page = (query: string) => account.asMember('get', `/api/templates${query}`);
    await page('').expect(200, { items: templates, total: 3, page: 1, pageSize: 25, totalPages: 1 });
    await page('?limit=2&page=2').expect(200, {
      items: templates.slice(2),
      total: 3,
      page: 2,
      pageSize: 2,
      totalPages: 2,
    });
  });
});
