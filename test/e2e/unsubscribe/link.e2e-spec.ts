import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { DeliverMessages } from '../../../src/modules/sending/application/deliver-messages.service.js';
import { SuppressionList } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { PAGE_HEADERS } from '../../support/page-headers.js';
import { RelayFixture, type SendingAccount } from '../../support/relay-fixture.js';
import { TestService } from '../../support/service.js';
import type { ReceivedMail, SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const BASE_URL = 'https://mail.example.net';
const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary="b0undary"';
const MULTIPART_BODY = [
  '--b0undary',
  'Content-Disposition: form-data; name="List-Unsubscribe"',
  '',
  'One-Click',
  '--b0undary--',
  '',
].join('\r\n');

describe('/u/:token', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let shop: SendingAccount;
  let messageId: string;
  let mail: ReceivedMail;
  let path: string;

  beforeAll(async () => {
    fixture = await RelayFixture.start({ BASE_URL });
    ({ service, relay } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    relay.reset();
    shop = await fixture.open({ name: '<script>alert(1)</script> & Sons', scopes: ['send'] });
    ({ account } = shop);
    messageId = (await send().expect(201)).body.messageLogId;
    mail = await waitFor('the mail', () => mailsOf(messageId)[0]);
    path = new URL(linkIn(mail.parsed.html as string)).pathname;
  });

  const send = (changes: object = {}) =>
    shop.post({
      to: ' Ada.L@BÜCHER.example',
      html: '<p>News. <a href="{{unsubscribeUrl}}">Unsubscribe</a></p>',
      ...changes,
    });
  const mailsOf = (id: string) => relay.received().filter(({ parsed }) => parsed.messageId === `<${id}@example.com>`);
  const linkIn = (html: string) => /href="([^"]+)"/.exec(html)![1]!;
  const post = (body = '', type = URLENCODED, to = path) =>
    service.request('post', to).set('Content-Type', type).send(body);
  const oneClick = (to = path) => post('List-Unsubscribe=One-Click', URLENCODED, to);
  const entries = (of = account) =>
    service.query(
      'SELECT channel, address, reason, source, note, message_log_id, contact_id FROM suppressions WHERE account_id = $1',
      [of.id],
    );
  const events = (of = account) =>
    service.query('SELECT type, data FROM outbox_events WHERE account_id = $1 ORDER BY id', [of.id]);
  const entry = (source: string) => ({
    channel: 'email',
    address: 'ada.l@xn--bcher-kva.example',
    reason: 'unsubscribed',
    source,
    note: null,
    message_log_id: messageId,
    contact_id: null,
  });
  const event = (source: string) => ({
    type: 'contact.unsubscribed',
    data: {
      email: 'ada.l@xn--bcher-kva.example',
      source,
      contactId: '',
      firstName: '',
      lastName: '',
      campaignId: null,
    },
  });
  const isUntouched = async () => {
    expect(await service.query('SELECT address FROM suppressions')).toEqual([]);
    expect(await service.query('SELECT type FROM outbox_events')).toEqual([]);
  };
  const forgetAll = () =>
    service.query('DELETE FROM suppressions').then(() => service.query('DELETE FROM outbox_events'));
  beforeEach(forgetAll);

  it('is in the mail: in the html, in the text and in the headers of RFC 8058', () => {
    const link = linkIn(mail.parsed.html as string);
    expect(link).toMatch(/^https:\/\/mail\.example\.net\/u\/[\w-]{100,}$/);
    expect(mail.parsed.text).toContain(link);
    const header = /^List-Unsubscribe: <([^>]+)>\r$/m.exec(mail.raw)?.[1];
    expect(header).toBe(link);
    expect(mail.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  });

  it('does not reveal whom it is for', () => {
    const token = Buffer.from(path.slice('/u/'.length), 'base64url').toString('latin1');
    for (const secret of [account.id, messageId, 'ada', 'example']) expect(token).not.toContain(secret);
  });

  it('GET and HEAD show a page with a button and change nothing, however often', async () => {
    for (let opened = 1; opened <= 3; opened++) {
      const { text } = await service
        .request('get', path)
        .expect(200)
        .expect('Content-Type', 'text/html; charset=utf-8');
      expect(text).toContain('<html lang="en">');
      expect(text).toContain('<h1>Unsubscribe from &lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons</h1>');
      expect(text).toContain(
        'Stop all email from &lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons to ada.l@xn--bcher-kva.example?',
      );
      expect(text).toContain('<form method="post"><button type="submit">Unsubscribe</button></form>');
      expect(text).not.toMatch(/<script|src=|href=/);
      expect((await fetch(service.url + path, { method: 'HEAD' })).status).toBe(200);
      await service.request('get', `${path}?List-Unsubscribe=One-Click`).expect(200);
    }
    await isUntouched();
    await send().expect(201);
  });

  it.each([
    ['the form, which posts nothing', '', URLENCODED, 'form'],
    ['any other text', '{"a":', 'application/json', 'form'],
    ['one click, urlencoded', 'List-Unsubscribe=One-Click', URLENCODED, 'one_click'],
    ['one click, multipart', MULTIPART_BODY, MULTIPART, 'one_click'],
  ])('POST of %s unsubscribes', async (_, body, type, source) => {
    const { text, headers } = await post(body, type).redirects(0).expect(200);
    expect(text).toContain('<h1>You are unsubscribed</h1>');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('location');
    expect(await entries()).toEqual([entry(source)]);
    expect(await events()).toEqual([event(source)]);
  });

  it('POST without a body or a type unsubscribes', async () => {
    expect((await fetch(service.url + path, { method: 'POST' })).status).toBe(200);
    expect(await entries()).toEqual([entry('form')]);
  });

  it('stops every later send to any spelling of the address, and no other', async () => {
    await oneClick().expect(200);
    for (const to of ['ada.l@bücher.example', 'ADA.L@xn--bcher-kva.example']) {
      await send({ to }).expect(400, badRequest(`${to} is suppressed`));
    }
    await send({ to: 'ada@bücher.example' }).expect(201);
  });

  it('stops a message that is already queued', async () => {
    relay.answer = () => ({ code: 451, message: 'later' });
    const { body } = await send().expect(201);
    const waits = () =>
      service.query('SELECT 1 FROM pending_deliveries WHERE message_id = $1 AND attempts = 1 AND claim_id IS NULL', [
        body.messageLogId,
      ]);
    await waitFor('the first attempt', async () => (await waits()).length === 1);
    await oneClick().expect(200);
    relay.answer = () => undefined;
    service.clock.advance({ hours: 1 });
    await service.app
      .get(DeliverMessages, { strict: false })
      .deliver('email', account.id, [body.messageLogId], new AbortController().signal, () => undefined);
    const [row] = await service.query('SELECT status FROM message_logs WHERE id = $1', [body.messageLogId]);
    expect(row).toEqual({ status: 'suppressed' });
    expect(mailsOf(body.messageLogId)).toEqual([]);
  });

  it('works twice, and counts once', async () => {
    await oneClick().expect(200);
    const { text } = await post().expect(200);
    expect(text).toContain('<h1>You are unsubscribed</h1>');
    await service.request('get', path).expect(200);
    expect(await entries()).toEqual([entry('one_click')]);
    expect(await events()).toEqual([event('one_click')]);
  });

  it('counts once for fifty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? oneClick() : post())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await entries()).toHaveLength(1);
    expect(await events()).toHaveLength(1);
  });

  it('replaces what an operator entered, so that undoing that does not lose the unsubscription', async () => {
    const email = 'ada.l@bücher.example';
    const { body } = await account.asAdmin('post', '/api/suppressions').send({ email, note: 'By phone' }).expect(201);
    await oneClick().expect(200);
    await oneClick().expect(200);
    expect(await entries()).toEqual([{ ...entry('one_click'), note: 'By phone' }]);
    expect(await events()).toEqual([expect.objectContaining({ type: 'contact.suppressed' }), event('one_click')]);
    await account.asAdmin('delete', `/api/suppressions/${body.id}?reason=manual&source=dashboard`).expect(409);
  });

  it('is reported, too, if an operator has unsubscribed the address before', async () => {
    const names = { firstName: 'Ada', lastName: 'L' };
    const { body: contact } = await account
      .asAdmin('post', '/api/contacts')
      .send({ email: 'ada.l@bücher.example', status: 'unsubscribed', ...names })
      .expect(201);
    await oneClick().expect(200);
    await oneClick().expect(200);
    const ofContact = { contactId: contact.id, ...names };
    expect(await events()).toMatchObject([
      { type: 'contact.unsubscribed', data: { source: 'dashboard', ...ofContact } },
      { type: 'contact.unsubscribed', data: { source: 'one_click', ...ofContact } },
    ]);
  });

  it('leaves an address that is suppressed for a more serious reason as it is', async () => {
    await account
      .asAdmin('post', '/api/suppressions/import')
      .set('Content-Type', 'text/csv')
      .send('address,reason\nada.l@bücher.example,complained')
      .expect(200);
    await oneClick().expect(200);
    expect(await entries()).toMatchObject([{ reason: 'complained', source: 'import' }]);
    expect(await events()).toMatchObject([{ type: 'contact.suppressed' }]);
  });

  it('unsubscribes again after the entry was deleted', async () => {
    await oneClick().expect(200);
    const { body } = await account.asAdmin('get', '/api/suppressions').expect(200);
    await account.asAdmin('delete', `/api/suppressions/${body.items[0].id}`).expect(200);
    await post().expect(200);
    expect(await entries()).toEqual([entry('form')]);
    expect(await events()).toEqual([event('one_click'), event('form')]);
  });

  it('is about one account only', async () => {
    const other = await service.createAccount();
    await oneClick().expect(200);
    expect(await entries(other)).toEqual([]);
    expect(await events(other)).toEqual([]);
    const list = service.app.get(SuppressionList, { strict: false });
    await expect(list.isSuppressed(other.id, 'email', 'ada.l@bücher.example')).resolves.toBe(false);
  });

  it('works years later, when the message is no longer stored', async () => {
    await service.query('DELETE FROM message_contents WHERE message_id = $1', [messageId]);
    await service.query('DELETE FROM email_events WHERE message_id = $1', [messageId]);
    await service.query('DELETE FROM message_logs WHERE id = $1', [messageId]);
    service.clock.advance({ days: 1_000 });
    const answers = [await service.request('get', path), await oneClick()];
    service.clock.advance({ days: -1_000 }); // back to where there are partitions for the messages of other tests
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await entries()).toEqual([entry('one_click')]);
  });

  it('does not work, and suppresses nothing, if any character was changed', async () => {
    const token = path.slice('/u/'.length);
    const other = (character: string) => (character === 'A' ? 'B' : 'A');
    const altered = [...token].map((character, i) => token.slice(0, i) + other(character) + token.slice(i + 1));
    const last = token.at(-1)!;
    const neighbours = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .filter((character) => character !== last)
      .map((character) => token.slice(0, -1) + character);
    for (const forged of [...altered, ...neighbours]) {
      await oneClick(`/u/${forged}`).expect(404);
    }
    await isUntouched();
  });

  it.each([
    ['nothing like one', () => '/u/unsubscribe'],
    ['empty but for a nonce', () => `/u/${'A'.repeat(16)}`],
    ['cut off', () => path.slice(0, -1)],
    ['longer', () => `${path}A`],
    ['padded', () => `${path}=`],
    ['in other letters', () => `${path}%20`],
    ['no text', () => '/u/%00%C3%BF'],
    ['very long', () => `/u/${'A'.repeat(8_000)}`],
  ])('answers a token that is %s with a page that says so', async (_, pathOf) => {
    const { text } = await service
      .request('get', pathOf())
      .expect(404)
      .expect('Content-Type', /^text\/html/);
    expect(text).toContain('<h1>This link does not work</h1>');
    for (const answer of [
      post('', URLENCODED, pathOf()),
      oneClick(pathOf()),
      post(MULTIPART_BODY, MULTIPART, pathOf()),
    ]) {
      await answer.expect(404);
    }
    await isUntouched();
  });

  it('does not accept links of an installation with another secret', async () => {
    const elsewhere = await TestService.start({ ROLE: 'api', BASE_URL });
    try {
      expect((await fetch(elsewhere.url + path, { method: 'POST' })).status).toBe(404);
    } finally {
      await elsewhere.stop();
    }
  });

  it('refuses a body larger than 64 kB, and a compressed one', async () => {
    await post('x'.repeat(65_537)).expect(413, errorBody(413, 'The body is larger than 64 KB'));
    await post('List-Unsubscribe=One-Click').set('Content-Encoding', 'gzip').expect(415);
    await isUntouched();
  });

  it('reports an error if the entry cannot be written', async () => {
    await service.query('ALTER TABLE outbox_events RENAME TO away');
    try {
      await oneClick().expect(500, errorBody(500, 'Internal server error'));
    } finally {
      await service.query('ALTER TABLE away RENAME TO outbox_events');
    }
    await isUntouched();
    await oneClick().expect(200);
  });

  it('serves pages that load and run nothing, cannot be framed or cached, and send no referrer', async () => {
    for (const answer of [service.request('get', path), post(), oneClick(), service.request('get', '/u/unknown')]) {
      expect((await answer).headers).toMatchObject(PAGE_HEADERS);
    }
  });
});
