import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';

interface Message {
  status: string;
  error: string | null;
  events: { type: string; data: { smtpResponse: string } }[];
}

/** Its replies are stored with the message, sent to webhook endpoints and shown in lists. */
describe('A relay of an account that answers as no relay does', () => {
  let fixture: RelayFixture;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    shop = await fixture.open();
  });

  const attempt = (): Promise<Message> => shop.attempt({ text: 'Thank you' });

  it.each([
    ['refusal', 'rcpt', 554, 'failed'],
    ['acceptance', 'data', 250, 'sent'],
  ] as const)('keeps the beginning of a long %s', async (_, stage, code, status) => {
    fixture.relay.answer = (at) => (at === stage ? { code, message: '€'.repeat(5_000) } : undefined);
    const message = await attempt();
    expect(message.status).toBe(status);
    const kept = message.events[0]!.data.smtpResponse;
    expect(kept).toMatch(new RegExp(`^${code} €`));
    expect(kept.length).toBeLessThanOrEqual(1_000);
    expect((message.error ?? '').length).toBeLessThanOrEqual(1_000);
  });

  it('is not listened to for longer than a reply may take', async () => {
    fixture.relay.answer = (at) => (at === 'rcpt' ? { code: 554, message: 'x'.repeat(900_000) } : undefined);
    const { status, error } = await attempt();
    expect(status).toBe('queued');
    expect(error).toBe('Server response exceeds maximum allowed size');
  });
});
