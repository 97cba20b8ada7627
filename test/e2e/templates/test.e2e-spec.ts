import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { RelayFixture, SENDER } from '../../support/relay-fixture.js';
import { waitFor } from '../../support/wait-for.js';

describe('POST /api/templates/:id/test', () => {
  let fixture: RelayFixture;
  let account: TestAccount;
  let id: string;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    ({ account } = await fixture.open({ dailySendCap: 1 }));
    const template = { name: 'Hello', subject: 'Hello {{name}}', text: 'Hello {{name}}' };
    id = (await account.asAdmin('post', '/api/templates').send(template).expect(201)).body.id;
  });

  const test = (body: object, templateId = id) =>
    account.asAdmin('post', `/api/templates/${templateId}/test`).send(body);
  const MAIL = { to: 'ada@example.org', fromEmail: SENDER, variables: { name: 'Ada' } };

  it('sends the template as a message without a key, under the cap of the account', async () => {
    const { body } = await test(MAIL).expect(201);
    expect(body).toEqual({ queued: true, messageLogId: expect.any(String) });
    const [mail] = await waitFor('the mail', () => fixture.relay.received().length > 0 && fixture.relay.received());
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
