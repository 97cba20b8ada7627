import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { PAGE_HEADERS } from '../../support/page-headers.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';

describe('/verify-sender/:token', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let path: string;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service, relay } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    relay.reset();
    await service.query('DELETE FROM verification_mail_counts'); // the tests share addresses
    account = await service.createAccount({ name: '<script>alert(1)</script> & "Sons"' });
    await account.asAdmin('post', '/api/senders').send({ email: "o'hara&co@example.com" }).expect(201);
    path = /\/verify-sender\/[\w-]{43}/.exec(relay.received()[0]!.parsed.text!)![0];
  });

  const sender = async () => (await account.asMember('get', '/api/senders').expect(200)).body.items[0];
  /** As a browser sends a form without fields from a page without a referrer. */
  const submit = () =>
    service.request('post', path).type('form').set({ Origin: 'null', 'Content-Length': '0' }).send('');

  it('GET shows the account and the address, and verifies nothing however often it is opened', async () => {
    for (let opened = 1; opened <= 2; opened++) {
      const { text } = await service
        .request('get', path)
        .expect(200)
        .expect('Content-Type', 'text/html; charset=utf-8');
      expect(text).toContain('<h1>Confirm o&#39;hara&amp;co@example.com as a sender</h1>');
      expect(text).toContain(
        'named <q>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Sons&quot;</q> asks to send email',
      );
      expect(text).toContain(
        '<form method="post"><button type="submit">Confirm o&#39;hara&amp;co@example.com</button></form>',
      );
      expect(text).not.toMatch(/<script|src=|href=/);
    }
    expect(await sender()).toMatchObject({ status: 'pending', verifiedAt: null });
  });

  it('POST verifies the sender', async () => {
    const { text } = await submit().expect(200).expect('Content-Type', 'text/html; charset=utf-8');
    expect(text).toContain('<h1>o&#39;hara&amp;co@example.com is confirmed</h1>');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Sons&quot;</q> can now send email');
    const { status, verifiedAt } = await sender();
    expect(status).toBe('verified');
    expect(verifiedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [row] = await service.query('SELECT token_hash, token_expires_at FROM senders WHERE account_id = $1', [
      account.id,
    ]);
    expect(row).toEqual({ token_hash: null, token_expires_at: null });
  });

  it('serves pages without scripts, frames and external content that leak their address to nobody', async () => {
    for (const answer of [service.request('get', path), submit(), submit()]) {
      expect((await answer).headers).toMatchObject(PAGE_HEADERS);
    }
  });

  it('works once, even for concurrent requests', async () => {
    const answers = await Promise.all([submit(), submit(), submit()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    await service.request('get', path).expect(404);
  });

  it.each(['get', 'post'] as const)(
    '%s answers an expired link with a page that explains what to do',
    async (method) => {
      service.clock.advance({ hours: 24 });
      const { text } = await service
        .request(method, path)
        .expect(404)
        .expect('Content-Type', 'text/html; charset=utf-8');
      expect(text).toContain('<h1>This link does not work</h1>');
      expect(text).toContain('have a new mail sent from the list of senders');
      expect(await sender()).toMatchObject({ status: 'pending' });
    },
  );

  it.each([
    ['unknown', () => `/verify-sender/${'A'.repeat(43)}`],
    ['cut off', () => path.slice(0, -1)],
    ['no text', () => '/verify-sender/%00%C3%BF'],
  ])('answers a token that is %s with that page, too', async (_, pathOf) => {
    for (const method of ['get', 'post'] as const) {
      const { text } = await service.request(method, pathOf()).expect(404);
      expect(text).toContain('<h1>This link does not work</h1>');
    }
  });

  it('refuses the link of a deleted sender', async () => {
    const { id } = await sender();
    await account.asAdmin('delete', `/api/senders/${id}`).expect(200);
    await submit().expect(404);
  });
});
