import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { postEmail } from '../../support/send-email.js';
import type { TestService } from '../../support/service.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const PDF = Buffer.from('%PDF-1.7 an invoice');
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const base64 = (bytes: Buffer) => bytes.toString('base64');

interface Copy {
  email: string;
  role: string;
  messageLogId: string;
}

describe('A complete message', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let secret: string;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ relay, service } = fixture);
    const sender = await fixture.open();
    ({ account } = sender);
    ({ secret } = sender.key);
  });
  beforeEach(() => {
    relay.reset();
  });
  afterAll(() => fixture.stop());

  const send = (mail: object) => postEmail(service, secret, { html: '<p>Hello</p>', ...mail });
  const received = (count: number) =>
    waitFor(`${count} mails`, () => relay.received().length >= count && relay.received());

  it('sends a copy to each recipient of cc and bcc, with the same visible recipients', async () => {
    const { body } = await send({
      to: 'Ada@example.org',
      cc: ['books@example.org', 'ADA@example.org'],
      bcc: ['boss@example.org', 'books@example.org'],
      html: '<p><a href="{{unsubscribeUrl}}">Stop</a></p>',
    }).expect(201);
    const copies = body.copies as Copy[];
    expect(copies.map(({ email, role }) => ({ email, role }))).toEqual([
      { email: 'books@example.org', role: 'cc' },
      { email: 'boss@example.org', role: 'bcc' },
    ]);
    const mails = await received(3);
    const byRecipient = new Map(mails.map((mail) => [mail.envelope.to[0], mail]));
    const ids = { 'Ada@example.org': body.messageLogId as string };
    for (const { email, messageLogId } of copies) Object.assign(ids, { [email]: messageLogId });
    const links = new Set<string>();
    for (const [email, id] of Object.entries(ids)) {
      const { parsed, raw } = byRecipient.get(email)!;
      expect(parsed.messageId).toBe(`<${id}@example.com>`);
      expect(parsed.to).toMatchObject({ text: 'Ada@example.org' });
      expect(parsed.cc).toMatchObject({ text: 'books@example.org' });
      expect(raw).not.toMatch(/boss@example\.org/);
      const [link = ''] = /http[^"]+\/u\/[^"]+/.exec(parsed.html as string) ?? [];
      expect(parsed.headers.get('list')).toMatchObject({ unsubscribe: { url: link } });
      expect(parsed.text).toContain(link);
      links.add(link);
    }
    expect(links.size).toBe(3);
  });

  it('shows role, group, copies, tags and metadata', async () => {
    const { body } = await send({
      cc: ['books@example.org'],
      tags: ['invoice', 'may', 'may'],
      metadata: { order: '4711' },
    });
    const id = body.messageLogId as string;
    const copy = (body.copies as Copy[])[0]!.messageLogId;
    const labels = { groupId: id, tags: ['invoice', 'may'], metadata: { order: '4711' } };
    const read = (of: string) => account.asMember('get', `/api/messages/${of}`).expect(200);
    expect((await read(id)).body).toMatchObject({
      ...labels,
      role: 'to',
      copies: [{ messageLogId: copy, email: 'books@example.org', role: 'cc' }],
    });
    expect((await read(copy)).body).toMatchObject({
      ...labels,
      role: 'cc',
      to: 'books@example.org',
      copies: [{ messageLogId: id, role: 'to' }],
    });
    expect((await received(2))[0]!.raw).not.toMatch(/4711|invoice/);
  });

  it('attaches files, shows inline ones in the HTML, and encodes names', async () => {
    const csv = Buffer.from('a;b\r\n1;ü\r\n');
    const { body } = await send({
      html: '<p>Hello <img src="cid:logo"></p>',
      attachments: [
        { filename: 'Rechnung für März – 文書.pdf', content: base64(PDF) },
        { filename: 'logo.png', content: base64(PNG), contentId: 'logo' },
        { filename: 'empty.txt', content: '' },
        { filename: 'data.csv', content: base64(csv), contentType: 'text/csv; charset=utf-8' },
      ],
    }).expect(201);
    const { parsed, raw } = (await received(1))[0]!;
    expect(raw).toMatch(/filename\*0\*=utf-8''Rechnung%20f%C3%BCr/);
    expect(raw).toMatch(/multipart\/mixed[^]*multipart\/alternative[^]*multipart\/related/);
    const parts = Object.fromEntries(parsed.attachments.map((part) => [part.filename, part]));
    expect(parts['Rechnung für März – 文書.pdf']).toMatchObject({
      content: PDF,
      contentType: 'application/pdf',
      contentDisposition: 'attachment',
    });
    expect(parts['logo.png']).toMatchObject({ content: PNG, cid: 'logo', related: true, contentDisposition: 'inline' });
    expect(parts['empty.txt']).toMatchObject({ size: 0, contentType: 'text/plain' });
    expect(parts['data.csv']).toMatchObject({ content: csv, contentType: 'text/csv' });
    const { body: detail } = await account.asMember('get', `/api/messages/${body.messageLogId}`).expect(200);
    expect(detail.attachments).toEqual([
      {
        number: 1,
        filename: 'Rechnung für März – 文書.pdf',
        contentType: 'application/pdf',
        contentId: null,
        size: PDF.length,
      },
      { number: 2, filename: 'logo.png', contentType: 'image/png', contentId: 'logo', size: PNG.length },
      { number: 3, filename: 'empty.txt', contentType: 'text/plain', contentId: null, size: 0 },
      { number: 4, filename: 'data.csv', contentType: 'text/csv; charset=utf-8', contentId: null, size: csv.length },
    ]);
  });

  it('adds headers, and leaves those with a syntax of their own as they are', async () => {
    const reference = `<${'r'.repeat(200)}@example.org>`;
    await send({
      headers: { 'X-Order': '4711', 'X-Naeme': 'Grüße aus Köln', 'In-Reply-To': reference },
    }).expect(201);
    const { parsed, raw } = (await received(1))[0]!;
    expect(parsed.headers.get('x-order')).toBe('4711');
    expect(raw).toMatch(/^X-Naeme: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe_aus_K=C3=B6ln\?=\r\n/m);
    expect(parsed.inReplyTo).toBe(reference);
    expect(raw).toMatch(/^X-Order: 4711\r\n/m);
  });

  it('sends nothing to anybody if one of the recipients is suppressed', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: 'stop@example.org' }).expect(201);
    const before = await service.query('SELECT id FROM message_logs');
    await send({ cc: ['Stop@example.org', 'books@example.org'] }).expect(
      400,
      errorBody(400, 'Stop@example.org is suppressed'),
    );
    expect(await service.query('SELECT id FROM message_logs')).toEqual(before);
  });

  it('returns the same copies for a repeated request, and refuses another one', async () => {
    const mail = {
      cc: ['books@example.org'],
      bcc: ['boss@example.org'],
      attachments: [{ filename: 'a.txt', content: 'QUFB' }],
    };
    const repeat = (changed: object = {}) => send({ ...mail, ...changed }).set('Idempotency-Key', 'order-1');
    const first = await repeat().expect(201);
    const second = await repeat().expect(201);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    await repeat({ attachments: [{ filename: 'a.txt', content: 'QUFC' }] }).expect(409);
    await received(3);
  });
});
