import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import { idIn, SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

describe('A mail of a plain shape, submitted by SMTP', () => {
  let fixture: SubmissionFixture;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
  });
  beforeEach(() => {
    fixture.relay.reset();
  });
  afterAll(() => fixture.stop());

  const received = (count: number) =>
    waitFor(`${count} mails`, () => fixture.relay.received().length >= count && fixture.relay.received());
  const detail = async (id: string) =>
    (await fixture.sender.account.asMember('get', `/api/messages/${id}`).expect(200)).body;

  it('is accepted like a send over HTTP and delivered under its own Message-ID', async () => {
    const id = await fixture.submit({
      to: 'ada@example.org',
      subject: 'Grüße',
      text: 'Hello Ada\n\nBye',
      html: '<p>Hello <b>Ada</b></p>',
    });
    const [{ parsed, envelope } = { parsed: null, envelope: null }] = await received(1);
    expect(envelope).toEqual({ from: SENDER, to: ['ada@example.org'] });
    expect(parsed).toMatchObject({
      messageId: `<${id}@example.com>`,
      subject: 'Grüße',
      html: '<p>Hello <b>Ada</b></p>',
    });
    expect(parsed!.text!.trimEnd()).toBe('Hello Ada\n\nBye');
    expect(await detail(id)).toMatchObject({
      ...{ to: 'ada@example.org', from: SENDER, subject: 'Grüße', role: 'to', groupId: null, attachments: [] },
      apiKeyId: fixture.sender.key.id,
    });
    const { body } = await fixture.sender.account.asMember('get', `/api/messages/${id}/content`).expect(200);
    expect(body).toMatchObject({ html: '<p>Hello <b>Ada</b></p>', text: 'Hello Ada\n\nBye' });
  });

  it('becomes a message to each recipient of the envelope, with roles by To and Cc, which all of them show', async () => {
    const id = await fixture.submit({
      to: ['Ada L. <ada@example.org>', 'grace@example.org'],
      cc: '"Books, Inc." <books@example.org>, elsewhere@example.org',
      envelope: {
        from: 'any@example.net',
        to: ['boss@example.org', 'books@example.org', 'grace@example.org', 'Ada@example.org'],
      },
      text: 'Hello',
    });
    const mails = await received(4);
    for (const { raw } of mails) {
      expect(raw).toMatch(/^To: "Ada L\." <ada@example\.org>, grace@example\.org\r$/m);
      expect(raw).toMatch(/^Cc: "Books, Inc\." <books@example\.org>, elsewhere@example\.org\r$/m);
      expect(raw).not.toMatch(/boss@example\.org|any@example\.net/);
    }
    const message = await detail(id);
    const members = [message, ...message.copies].map(({ to, email, role }) => [to ?? email, role]);
    expect(members).toEqual([
      ['grace@example.org', 'to'],
      ['Ada@example.org', 'to'],
      ['books@example.org', 'cc'],
      ['boss@example.org', 'bcc'],
    ]);
    expect(mails.map(({ envelope }) => envelope.to[0]).sort()).toEqual(members.map(([email]) => email).sort());
    expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size).toBe(4);
  });

  it('no longer shows a recipient who was erased to the others', async () => {
    const { account } = fixture.sender;
    const id = await fixture.submit({
      to: 'Left <left@example.org>, Gone <Gone@example.org>',
      replyTo: 'Ticket 5 <tickets@example.com>',
      text: 'Hello',
    });
    await received(2);
    await waitFor('both deliveries to be recorded', async () => {
      return (await fixture.service.query('SELECT FROM pending_deliveries')).length === 0;
    });
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email: 'gone@example.org' });
    await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
    const source = await account.asMember('get', `/api/messages/${id}/source`).expect(200);
    expect(source.body.source).toMatch(/^To: Left <left@example\.org>\r$/m);
    expect(source.body.source).toMatch(/^Reply-To: Ticket 5 <tickets@example\.com>\r$/m);
  });

  it('is a bcc if only RCPT names the recipient, and To may name nobody', async () => {
    const client = await fixture.login();
    const reply = await client.submit(SENDER, ['ada@example.org'], mailOf({ To: 'undisclosed-recipients:;' }));
    client.close();
    const [{ raw } = { raw: '' }] = await received(1);
    expect(raw).toMatch(/^To: undisclosed-recipients:;\r$/m);
    const id = idIn(reply.text);
    expect(await detail(id)).toMatchObject({ role: 'bcc', groupId: id, to: 'ada@example.org' });
  });

  it('passes on attachments, inline images and its own headers, and removes Bcc and those for the service', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const pdf = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));
    const id = await fixture.submit({
      to: 'ada@example.org',
      replyTo: 'Support <support@example.com>',
      text: 'Hello',
      html: '<p>Hello <img src="cid:logo@x"></p>',
      attachments: [
        { filename: 'Größe.pdf', content: pdf },
        { filename: 'logo.png', content: png, cid: 'logo@x', contentDisposition: 'inline' },
        {
          filename: 'a.csv',
          content: 'ä;b\n',
          contentType: 'text/csv; charset=utf-8',
          contentTransferEncoding: 'quoted-printable',
        },
      ],
      headers: {
        'X-Order': '4711',
        'X-Mailer': 'Shop 1.0',
        Bcc: 'hidden@example.org',
        'Resent-From': 'hidden@example.org',
        'Delivered-To': 'hidden@example.org',
        'X-SES-CONFIGURATION-SET': 'theirs',
        'X-Service-Tag': 'invoice, may',
        'X-Service-Metadata': '{"order":"4711"}',
        'X-Service-Unsubscribe-Url': 'https://example.com/u?x=1',
      },
    });
    // nodemailer takes the Bcc header for a recipient of the envelope.
    const [{ raw, parsed } = { raw: '', parsed: null }] = await received(2);
    expect(raw).toMatch(/^X-Order: 4711\r$/m);
    expect(raw).toMatch(/^X-Mailer: Shop 1\.0\r$/m);
    expect(raw).not.toMatch(/X-Service|hidden@|^Bcc|^Resent|X-SES|invoice/im);
    expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/example\.com\/u\?x=1>\r\nList-Unsubscribe-Post: /m);
    expect(parsed!.replyTo).toMatchObject({ value: [{ name: 'Support', address: 'support@example.com' }] });
    const parts = Object.fromEntries(parsed!.attachments.map((part) => [part.filename, part]));
    expect(parts['Größe.pdf']).toMatchObject({
      content: pdf,
      contentType: 'application/pdf',
      contentDisposition: 'attachment',
    });
    expect(parts['logo.png']).toMatchObject({ content: png, cid: 'logo@x', related: true });
    expect(parts['a.csv']!.content.toString()).toBe('ä;b\r\n');
    const message = await detail(id);
    expect(message).toMatchObject({
      tags: ['invoice', 'may'],
      metadata: { order: '4711' },
      replyTo: 'support@example.com',
    });
    expect(message.attachments).toHaveLength(3);
  });

  it('keeps a List-Unsubscribe of its own unless its body has our link', async () => {
    const list = { 'List-Unsubscribe': '<mailto:stop@example.com>' };
    await fixture.submit({ to: 'ada@example.org', text: 'Hello', headers: list });
    expect((await received(1))[0]!.raw).toMatch(/^List-Unsubscribe: <mailto:stop@example\.com>\r$/m);
    await fixture.submit({ to: 'ada@example.org', text: 'Stop: {{unsubscribeUrl}}', headers: list });
    const { raw } = (await received(2))[1]!;
    expect(raw.match(/^List-Unsubscribe: .*/gm)).toEqual([expect.stringMatching(/^List-Unsubscribe: <http.*\/u\//)]);
    expect(raw).toMatch(/^Stop: http.*\/u\//m);
  });

  it.each([
    ['an empty Reply-To', ['Reply-To: ']],
    ['a header that is given twice', ['X-Mailer: Shop 1.0', 'X-Mailer: Shop 1.0']],
  ])('has a link in the place of {{unsubscribeUrl}} in spite of %s', async (_, headers) => {
    const client = await fixture.login();
    const lines = [`From: ${SENDER}`, 'To: ada@example.org', ...headers, '', 'Stop: {{unsubscribeUrl}}'];
    idIn((await client.submit(SENDER, ['ada@example.org'], lines.join('\r\n'))).text);
    client.close();
    const [{ raw } = { raw: '' }] = await received(1);
    expect(raw).toMatch(/^Stop: http.*\/u\//m);
    expect(raw).toMatch(/^List-Unsubscribe: /m);
    for (const header of headers.slice(0, -1)) expect(raw.split(header)).toHaveLength(2);
  });

  it('encodes once what came encoded with spaces, and only the names in headers with addresses', async () => {
    const client = await fixture.login();
    const headers = {
      To: 'ada@example.org',
      Subject: '=?UTF-8?Q?Gr=C3=BC=C3=9Fe aus Berlin?=',
      'Disposition-Notification-To': '"Jürgen" <shop@example.com>',
    };
    const id = idIn((await client.submit(SENDER, ['ada@example.org'], mailOf(headers))).text);
    client.close();
    const [{ raw, parsed } = { raw: '', parsed: null }] = await received(1);
    expect(parsed!.subject).toBe('Grüße aus Berlin');
    expect(raw).toMatch(/^Disposition-Notification-To: =\?UTF-8\?Q\?J=C3=BCrgen\?= <shop@example\.com>\r$/m);
    expect(await detail(id)).toMatchObject({ subject: 'Grüße aus Berlin' });
  });

  it.each([
    ['a mail without a body', mailOf({ To: 'ada@example.org' }, '')],
    ['a mail without a subject', 'From: shop@example.com\r\nTo: ada@example.org\r\n\r\nHello'],
    ['raw UTF-8 in headers', `From: shop@example.com\r\nTo: ada@example.org\r\nSubject: Grüße\r\n\r\nHällo`],
    [
      'a mail that is only a file',
      mailOf(
        {
          To: 'ada@example.org',
          'Content-Type': 'multipart/mixed; boundary=b',
        },
        '--b\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJD\r\n--b--',
      ),
    ],
    ['a dot at the beginning of a line', mailOf({ To: 'ada@example.org' }, '..leading\r\n...')],
  ])('accepts %s', async (_, mail) => {
    const client = await fixture.login();
    const { code, text } = await client.submit(SENDER, ['ada@example.org'], mail);
    client.close();
    expect([code, text]).toEqual([250, expect.stringMatching(/^Queued as c/)]);
    await received(1);
  });
});

function mailOf(headers: Record<string, string>, body = 'Hello'): string {
  const all = { From: SENDER, Subject: 'Hello', ...headers };
  return `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')}\r\n\r\n${body}`;
}
