import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

describe('POST /api/suppressions', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
  });
  afterAll(() => service.stop());

  const suppress = (body: object) => account.asAdmin('post', '/api/suppressions').send(body);

  it('suppresses an email address', async () => {
    const { body } = await suppress({ email: ' Ada@BÜCHER.example ', note: 'Asked by phone' }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      channel: 'email',
      address: 'Ada@BÜCHER.example',
      erased: false,
      reason: 'manual',
      source: 'dashboard',
      note: 'Asked by phone',
      messageLogId: null,
      contactId: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('suppresses a phone number, in E.164', async () => {
    const { body } = await suppress({ phone: '(415) 555-0100' }).expect(201);
    expect(body).toMatchObject({ channel: 'sms', address: '+14155550100', note: null });
    await suppress({ phone: '+1 415 555 0100' }).expect(200, body);
  });

  it('answers 200 with the existing entry for any spelling of a suppressed address', async () => {
    const { body } = await suppress({ email: 'Ada@Example.com', note: 'First' }).expect(201);
    for (const email of ['ada@EXAMPLE.com', 'ada@example.com', ' ADA@example.com ']) {
      await suppress({ email, note: 'Later' }).expect(200, body);
    }
  });

  it('adds one entry for many concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => suppress({ email: i % 2 ? 'eve@example.com' : 'EVE@example.com' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  const notAPhone = 'phone must be a phone number in E.164 format or of 10 digits (US)';
  it.each([
    [{}, 'Give either email or phone'],
    [{ note: 'x' }, 'Give either email or phone'],
    [{ email: 'a@b.example', phone: '+14155550100' }, 'Give either email or phone'],
    [{ email: 'ada' }, 'email must be an email address'],
    [{ email: null }, 'email must be an email address'],
    [{ phone: '12345' }, notAPhone],
    [{ phone: '+999123456789' }, notAPhone],
    [{ phone: '' }, 'phone must be longer than or equal to 1 characters'],
    [{ phone: null }, 'phone must be a string'],
    [{ email: 'a@b.example', note: 'x'.repeat(501) }, 'note must be shorter than or equal to 500 characters'],
    [{ email: 'a@b.example', note: 'a\u0000' }, 'note holds a character that cannot be stored'],
    [{ email: 'a@b.example', reason: 'bounced' }, 'reason is not a known field'],
  ])('refuses %.70j', async (body, message) => {
    await suppress(body).expect(400, badRequest(message));
  });
});
