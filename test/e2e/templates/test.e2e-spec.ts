import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';

describe('POST /api/templates/:id/test', () => {
  let service: TestService;
  let relay: SmtpSink;
  let account: TestAccount;
  let id: string;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    relay.reset();
    account = await service.createAccount({ dailySendCap: 1 });
    await account.verifySender(SENDER);
    const template = { name: 'Hello', subject: 'Hello {{name}}', text: 'Hello {{name}}' };
    id = (await account.asAdmin('post', '/api/templates').send(template).expect(201)).body.id;
  });

  const test = (body: object, templateId = id) =>
    account.asAdmin('post', `/api/templates/${templateId}/test`).send(body);
  const MAIL = { to: 'ada@example.org', fromEmail: SENDER, variables: { name: 'Ada' } };

  it('sends the template as a message without a key, under the cap of the account', async () => {
    const { body } = await test(MAIL).expect(201);
    expect(body).toEqual({ queued: true, messageLogId: expect.any(String) });
    const [mail] = await waitFor('the mail', () => relay.received().length > 0 && relay.received());
    expect(mail!.parsed.subject).toBe('Hello Ada');
    const { body: message } = await account.asMember('get', `/api/messages/${body.messageLogId}`).expect(200);
    expect(message).toMatchObject({ apiKeyId: null, templateId: id, to: 'ada@example.org' });
    await test(MAIL).expect(429, errorBody(429, 'Daily send limit reached'));
  });

  it('refuses a request that a send would refuse', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: MAIL.to }).expect(201);
    await test(MAIL).expect(400, badRequest('ada@example.org is suppressed'));
    await test({ ...MAIL, to: 'lin@example.org', fromEmail: 'x@example.com' }).expect(
      400,
      badRequest('x@example.com is not verified for sending'),
    );
    await test({ ...MAIL, subject: 'Mine' }).expect(400, badRequest('subject is not a known field'));
    await test(MAIL, 'nothing').expect(404, errorBody(404, 'Template not found'));
  });
});
