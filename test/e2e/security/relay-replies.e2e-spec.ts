import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

interface Message {
  status: string;
  error: string | null;
  events: { type: string; data: { smtpResponse: string } }[];
}

/** Its replies are stored with the message, sent to webhook endpoints and shown in lists. */
describe('A relay of an account that answers as no relay does', () => {
  let service: TestService;
  let relay: SmtpSink;
  let account: TestAccount;

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
    await account.verifySender('shop@example.com');
  });

  async function deliver(): Promise<Message> {
    const { secret } = await account.createKey();
    const id = await sendEmail(service, secret, { text: 'Thank you' });
    return waitFor('an outcome', async () => {
      const { body } = await account.asAdmin('get', `/api/messages/${id}`).expect(200);
      return body.events.length > 0 && (body as Message);
    });
  }

  it.each([
    ['refusal', 'rcpt', 554, 'failed'],
    ['acceptance', 'data', 250, 'sent'],
  ] as const)('keeps the beginning of a long %s', async (_, stage, code, status) => {
    relay.answer = (at) => (at === stage ? { code, message: '€'.repeat(5_000) } : undefined);
    const message = await deliver();
    expect(message.status).toBe(status);
    const kept = message.events[0]!.data.smtpResponse;
    expect(kept).toMatch(new RegExp(`^${code} €`));
    expect(kept.length).toBeLessThanOrEqual(1_000);
    expect((message.error ?? '').length).toBeLessThanOrEqual(1_000);
  });

  it('is not listened to for longer than a reply may take', async () => {
    relay.answer = (at) => (at === 'rcpt' ? { code: 554, message: 'x'.repeat(900_000) } : undefined);
    const { status, error } = await deliver();
    expect(status).toBe('queued');
    expect(error).toBe('Server response exceeds maximum allowed size');
  });
});
