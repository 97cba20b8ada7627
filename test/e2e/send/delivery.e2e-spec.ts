import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { RelayFixture, type SendingAccount, SENDER } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';

describe('Delivery of an e-mail', () => {
  let fixture: RelayFixture;
  let service: TestService;
  let relay: SmtpSink;
  let shop: SendingAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service, relay } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    relay.reset();
    shop = await fixture.open({ scopes: ['send', 'read_events'] });
  });

  const send = (changes: object = {}) => shop.send({ html: '<p>Thank you</p>', ...changes });
  const types = (message: { events: { type: string }[] }) => message.events.map(({ type }) => type);

  it('reaches the inbox and is recorded on the timeline', async () => {
    const id = await send();
    const message = await shop.reaches(id, 'sent', 1);
    expect(message).toMatchObject({
      id,
      channel: 'email',
      to: 'ada@example.org',
      from: SENDER,
      provider: 'smtp',
      providerMessageId: `${id}@example.com`,
      apiKeyId: shop.key.id,
      error: null,
      sentAt: expect.any(String),
      events: [{ messageLogId: id, type: 'sent', data: { attempt: 1, smtpResponse: expect.stringMatching(/^250 /) } }],
    });
    expect(relay.received()).toHaveLength(1);
    expect(await service.query('SELECT * FROM pending_deliveries')).toEqual([]);
  });

  it('sends MIME that an independent parser reads: names, subject, both parts, Message-ID, unsubscribe headers', async () => {
    const unsubscribeUrl = `https://example.com/u/${'token'.repeat(300)}`;
    const id = await send({
      to: 'ada@bücher.example',
      fromName: 'Zoë "Z" Müller, Shop',
      replyTo: 'help@example.com',
      subject: 'Größe ✓ '.repeat(20),
      html: '<h1>Thank you</h1><p>Häuser &amp; more</p>',
      unsubscribeUrl,
    });
    await shop.reaches(id, 'sent', 1);
    const [mail] = relay.received();
    const { parsed, raw, envelope } = mail!;
    expect(envelope).toEqual({ from: SENDER, to: ['ada@bücher.example'] });
    expect(raw).toMatch(/^To: ada@xn--bcher-kva\.example\r$/m);
    expect(parsed.from?.value).toEqual([{ name: 'Zoë "Z" Müller, Shop', address: SENDER }]);
    expect(parsed.replyTo?.value).toEqual([{ name: '', address: 'help@example.com' }]);
    expect(parsed.subject?.trim()).toBe('Größe ✓ '.repeat(20).trim());
    expect(parsed.html).toBe('<h1>Thank you</h1><p>Häuser &amp; more</p>');
    expect(parsed.text).toMatch(/THANK YOU\s+Häuser & more/);
    expect(parsed.messageId).toBe(`<${id}@example.com>`);
    const header = /^List-Unsubscribe: <([^>]+)>/m.exec(raw)?.[1];
    expect(header?.replace(/\s/g, '')).toBe(unsubscribeUrl);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  it('sends a text alone as text, and unsubscribe headers only on request', async () => {
    const id = await send({ html: undefined, text: 'Just text. Ünïcode.' });
    await shop.reaches(id, 'sent', 1);
    const { parsed, raw } = relay.received()[0]!;
    expect(parsed.text?.trim()).toBe('Just text. Ünïcode.');
    expect(parsed.html).toBe(false);
    expect(raw).not.toMatch(/List-Unsubscribe/);
  });

  it.each([
    [421, 'mail', '421 try later'],
    [450, 'rcpt', '450 greylisted'],
    [451, 'data', '451 local error'],
  ] as const)('retries after %i to %s', async (code, stage, reply) => {
    relay.answer = (at) => (at === stage ? { code, message: reply.slice(4) } : undefined);
    const id = await send();
    const postponed = await shop.reaches(id, 'queued', 1);
    expect(types(postponed)).toEqual(['delayed']);
    expect(postponed.error).toContain(reply);
    relay.reset();
    await fixture.sweep();
    service.clock.advance({ minutes: 2 });
    await fixture.sweep();
    const sent = await shop.reaches(id, 'sent', 2);
    expect(types(sent)).toEqual(['delayed', 'sent']);
    expect(sent.error).toBeNull();
    expect(relay.received()).toHaveLength(1);
  });

  it.each(['mail', 'data'] as const)(
    'retries with the same Message-ID when the connection drops at %s',
    async (stage) => {
      relay.answer = (at) => (at === stage ? 'drop' : undefined);
      const id = await send();
      await shop.reaches(id, 'queued', 1);
      const before = relay.received().length;
      relay.answer = () => undefined;
      service.clock.advance({ minutes: 2 });
      await fixture.sweep();
      await shop.reaches(id, 'sent', 2);
      const ids = new Set(relay.received().map(({ parsed }) => parsed.messageId));
      expect(relay.received()).toHaveLength(before + 1);
      expect(ids).toEqual(new Set([`<${id}@example.com>`]));
    },
  );

  it('fails permanently after 550, with the reason', async () => {
    relay.answer = (at) => (at === 'rcpt' ? { code: 550, message: 'refused' } : undefined);
    const id = await send();
    const failed = await shop.reaches(id, 'failed', 1);
    expect(failed.error).toContain('550 refused');
    expect(types(failed)).toEqual(['failed']);
    expect(await service.query('SELECT * FROM pending_deliveries')).toEqual([]);
  });

  it('gives up after eight attempts over about a day', async () => {
    relay.answer = (at) => (at === 'rcpt' ? { code: 450, message: 'greylisted' } : undefined);
    const begunAt = service.clock.now();
    const id = await send();
    for (let attempt = 1; attempt < 8; attempt++) {
      await shop.reaches(id, 'queued', attempt);
      const [pending] = await service.query<{ next_attempt_at: Date }>(
        'SELECT next_attempt_at FROM pending_deliveries',
      );
      service.clock.advance({
        seconds: (pending!.next_attempt_at.getTime() - service.clock.now().getTime()) / 1_000 + 1,
      });
      await fixture.sweep();
    }
    const failed = await shop.reaches(id, 'failed', 8);
    expect(failed.error).toMatch(/^Gave up after 8 attempts: .*450 greylisted/);
    const hours = (service.clock.now().getTime() - begunAt.getTime()) / 3_600_000;
    expect(hours).toBeGreaterThan(22);
    expect(hours).toBeLessThan(28);
  });

  it('does not submit the message if the recipient was suppressed meanwhile', async () => {
    relay.answer = (at) => (at === 'rcpt' ? { code: 450, message: 'greylisted' } : undefined);
    const id = await send();
    await shop.reaches(id, 'queued', 1);
    relay.reset();
    await shop.account.asAdmin('post', '/api/suppressions').send({ email: 'ADA@example.org' }).expect(201);
    service.clock.advance({ minutes: 2 });
    await fixture.sweep();
    const message = await shop.reaches(id, 'suppressed', 1);
    expect(message.error).toBe('ada@example.org is suppressed');
    expect(relay.received()).toEqual([]);
  });

  it('derives the text of HTML of the maximum depth', async () => {
    const id = await send({ html: `<p>Hello</p>${'<div>'.repeat(256)}deep` });
    await shop.reaches(id, 'sent', 1);
    expect(relay.received()[0]!.parsed.text).toContain('Hello');
  });

  it('fails if the content has been deleted, instead of sending an empty mail', async () => {
    relay.answer = (at) => (at === 'rcpt' ? { code: 450, message: 'greylisted' } : undefined);
    const id = await send();
    await shop.reaches(id, 'queued', 1);
    relay.reset();
    await service.query('DELETE FROM message_contents WHERE message_id = $1', [id]);
    service.clock.advance({ minutes: 2 });
    await fixture.sweep();
    const failed = await shop.reaches(id, 'failed', 2);
    expect(failed.error).toBe('Its content is no longer kept');
    expect(relay.received()).toEqual([]);
  });

  it('does not wait for a hanging relay of another account', async () => {
    const hanging = await SmtpSink.start();
    hanging.answer = () => 'hang';
    try {
      const other = await fixture.open();
      const smtp = { host: '127.0.0.1', port: hanging.port };
      await other.account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
      for (let i = 0; i < 150; i++) await other.send({ text: 'Hello' });
      const id = await send();
      await shop.reaches(id, 'sent', 1);
    } finally {
      await hanging.stop();
    }
  });

  it('uses the relay of the account if it has one', async () => {
    const own = await SmtpSink.start({ credentials: { username: 'shop', password: 'pässword' } });
    try {
      const smtp = { host: '127.0.0.1', port: own.port, secure: false, username: 'shop', password: 'pässword' };
      await shop.account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
      await shop.reaches(await send(), 'sent', 1);
      expect(own.received()).toHaveLength(1);
      expect(relay.received()).toEqual([]);
    } finally {
      await own.stop();
    }
  });
});
