import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { EndlessRelay } from '../../support/endless-relay.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { TestService } from '../../support/service.js';

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

describe('A relay that never stops', () => {
  const TOO_LARGE = 'Server response exceeds maximum allowed size';
  let relay: EndlessRelay;
  let fixture: RelayFixture;
  let shop: SendingAccount;

  beforeAll(async () => {
    relay = await EndlessRelay.start();
    fixture = await RelayFixture.start();
    shop = await fixture.open();
    const smtp = { host: '127.0.0.1', port: relay.port };
    await shop.account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    await shop.account.verifySendersAgain();
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });

  const ENDLESS = [
    ['empty lines', '\r\n'],
    ['lines of spaces', ' \t \r\n'],
    ['an endless line', 'x'],
    ['lines of one reply', '250-more\r\n'],
  ] as const;

  it.each(['connect', 'rcpt', 'data'] as const)('is closed at %s after a bounded number of bytes', async (stage) => {
    for (const [what, line] of ENDLESS) {
      relay.endless = { stage, line };
      const { status, error } = await shop.attempt({ text: 'Thank you' });
      expect([what, status, error]).toEqual([what, 'queued', TOO_LARGE]);
      await relay.closed();
    }
    expect(relay.mostSent).toBeLessThan(EndlessRelay.BUFFERED_BYTES);
  });

  it('is closed when its settings are tested', async () => {
    for (const [, line] of ENDLESS) {
      relay.endless = { stage: 'connect', line };
      const { body } = await shop.account.asAdmin('post', '/api/settings/test').expect(200);
      expect(JSON.stringify(body)).toContain(TOO_LARGE);
      await relay.closed();
    }
  });

  it.each(['connect', 'rcpt'] as const)('is closed at %s when it should deliver a link to a sender', async (stage) => {
    // Without a relay of the installation, the link is sent through that of the account.
    const service = await TestService.shared();
    const account = await service.createAccount();
    const smtp = { host: '127.0.0.1', port: relay.port };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    for (const [i, [, line]] of ENDLESS.entries()) {
      relay.endless = { stage, line };
      const { body } = await account.asAdmin('post', '/api/senders').send({ email: `${stage}${i}@example.com` });
      expect(body.message).toBe('Provider error: the SMTP relay cannot be used (EPROTOCOL)');
      await relay.closed();
    }
    expect(relay.mostSent).toBeLessThan(EndlessRelay.BUFFERED_BYTES);
    await service.stop();
  });
});
