import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { postEmail, sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';
const TOO_DEEP = 'html is nested more than 256 levels deep';

describe('A body of a megabyte of HTML', () => {
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

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
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
  });

  it.each(['<b>', '<ul>', '<svg>', '<table><tr><td>'])(
    'is refused if it repeats %s without end tags',
    async (piece) => {
      const html = piece.repeat(Math.floor(999_000 / piece.length));
      const { body } = await postEmail(service, key.secret, { html }).expect(400);
      expect(body).toEqual({ message: TOO_DEEP, error: 'Bad Request', statusCode: 400 });
    },
  );

  it('is refused if a template and its variables make it too deep', async () => {
    const template = { name: 'Deep', subject: 'Hi', html: '{{#levels}}<div>{{/levels}}x', text: null };
    const { body } = await account.asAdmin('post', '/api/templates').send(template).expect(201);
    const variables = { levels: Array.from({ length: 300 }, () => ({})) };
    const answer = await postEmail(service, key.secret, { templateId: body.id, variables }).expect(400);
    expect(answer.body.message).toBe(TOO_DEEP);
  });

  /** A parser that builds a tree takes half a minute for this. */
  it('is sent with its text if it is not nested, and does not delay other mail', async () => {
    const html = '<ul><li>Item</ul>'.repeat(58_000);
    await sendEmail(service, key.secret, { html, to: 'long@example.org' });
    await sendEmail(service, key.secret, { html: '<p>Short</p>' });
    await waitFor('both', () => relay.received().length === 2);
    const mail = relay.received().find(({ envelope }) => envelope.to[0] === 'long@example.org')!;
    expect(mail.parsed.text!.startsWith(' * Item\n\n * Item\n\n')).toBe(true);
  });
});
