import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import { idIn, SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const CALENDAR = [
  'Content-Type: multipart/alternative; boundary=cal',
  '',
  '--cal',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'You are invited.',
  '--cal',
  'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
  '',
  'BEGIN:VCALENDAR',
  'END:VCALENDAR',
  '--cal--',
];
const SIGNED = [
  'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary=sig',
  '',
  '--sig',
  'Content-Type: text/plain',
  '',
  'Signed text  with trailing spaces  ',
  '--sig',
  'Content-Type: application/pkcs7-signature; name=smime.p7s',
  'Content-Transfer-Encoding: base64',
  '',
  'MIIB',
  '--sig--',
];
const PGP = [
  'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=pgp',
  '',
  '--pgp',
  'Content-Type: application/pgp-encrypted',
  '',
  'Version: 1',
  '--pgp',
  'Content-Type: application/octet-stream',
  '',
  '-----BEGIN PGP MESSAGE-----',
  '--pgp--',
];
const FORWARDED = [
  'Content-Type: multipart/mixed; boundary=fwd',
  '',
  '--fwd',
  'Content-Type: text/plain',
  '',
  'See below',
  '--fwd',
  'Content-Type: message/rfc822',
  '',
  'From: someone@example.net',
  'Message-ID: <inner@example.net>',
  '',
  'Inner',
  '--fwd--',
];
const LATIN = ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: 8bit', ''];
const UNKNOWN_CHARSET = ['Content-Type: text/html; charset=x-klingon', '', '<p>Hello</p>'];

describe('A mail that is no plain MIME shape, submitted by SMTP', () => {
  let fixture: SubmissionFixture;

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
  });
  beforeEach(() => {
    fixture.relay.reset();
  });
  afterAll(() => fixture.stop());

  const HEADERS = [
    `From: Shop <${SENDER}>`,
    'To: Ada <ada@example.org>, other@example.net',
    'Bcc: hidden@example.org',
    'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
    'Date: Mon, 1 Jun 2026 10:00:00 +0200',
    'Sender: boss@example.com',
    'X-Service-Tag: raw',
    'X-SES-TENANT: x',
    'X-MC-Subaccount: x',
    'X-Mailin-custom: x',
    'Resent-To: hidden@example.org',
    'MIME-Version: 1.0',
  ];
  let submitted = 0;
  async function submit(lines: readonly string[] | Buffer, to = ['ada@example.org']): Promise<string> {
    const client = await fixture.login();
    const start = Buffer.from([`Message-ID: <theirs${++submitted}@example.com>`, ...HEADERS, ''].join('\r\n'));
    const rest = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join('\r\n'));
    const { text } = await client.submit(SENDER, to, Buffer.concat([start, rest]));
    client.close();
    return idIn(text);
  }
  const received = (count: number) =>
    waitFor(`${count} mails`, () => fixture.relay.received().length >= count && fixture.relay.received());

  it.each([
    ['an invitation', CALENDAR],
    ['a signed mail (S/MIME)', SIGNED],
    ['an encrypted mail (PGP)', PGP],
    ['a forwarded mail', FORWARDED],
    ['a mail in an unknown charset', UNKNOWN_CHARSET],
  ])('is sent unchanged under our Message-ID and From: %s', async (_, lines) => {
    const id = await submit(lines);
    const { raw } = (await received(1))[0]!;
    const end = raw.indexOf('\r\n\r\n');
    const body = lines.slice(lines.indexOf('') + 1).join('\r\n');
    expect(raw.slice(end + 4).trimEnd()).toBe(body.trimEnd());
    const header = raw.slice(0, end + 2);
    expect(header).toContain(`Message-ID: <${id}@example.com>\r\n`);
    expect(header).toContain(`From: Shop <${SENDER}>\r\n`);
    expect(header).toContain('To: Ada <ada@example.org>, other@example.net\r\n');
    expect(header).toContain('Date: Mon, 1 Jun 2026 10:00:00 +0200\r\n');
    expect(header.match(/^(?:Message-ID|From|Date):/gim)).toHaveLength(3);
    expect(header).not.toMatch(/^(?:Bcc|Sender|X-Service-Tag|X-SES-TENANT|X-MC-.*|X-Mailin-.*|Resent-.*):|theirs/im);
  });

  it.each([
    ['text', ['Content-Type: text/plain', '', '{{unsubscribeUrl}}']],
    [
      'quoted-printable',
      [
        'Content-Type: text/html',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        '<a href=3D"{{ unsub=',
        'scribeUrl }}">',
      ],
    ],
    [
      'base64',
      [
        'Content-Type: text/html',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('{{{unsubscribeUrl}}}').toString('base64'),
      ],
    ],
  ])('is refused with {{unsubscribeUrl}} in a text, which it would show: %s', async (_, part) => {
    const client = await fixture.login();
    const lines = [`From: ${SENDER}`, ...CALENDAR.slice(0, -1), '--cal', ...part, '--cal--'];
    expect(await client.submit(SENDER, ['ada@example.org'], lines.join('\r\n'))).toEqual({
      code: 554,
      text: expect.stringMatching(/^\{\{unsubscribeUrl\}\} cannot be replaced .* X-Service-Unsubscribe-Url instead$/),
    });
    // An attached file is nobody's text, and neither is a name like that.
    const attached = ['--cal', 'Content-Disposition: attachment', ...part, '--cal', '', 'unsubscribeUrl', '--cal--'];
    const other = [`From: ${SENDER}`, ...CALENDAR.slice(0, -1), ...attached];
    expect((await client.submit(SENDER, ['ada@example.org'], other.join('\r\n'))).code).toBe(250);
    client.close();
    await received(1);
  });

  it('is accepted with a subject that is cut inside a character where it is shown', async () => {
    const words = Array.from({ length: 40 }, (_, n) => {
      const text = Buffer.from((n === 0 ? 'x' : '') + '😀'.repeat(n === 0 ? 10 : 13));
      return `=?utf-8?B?${text.toString('base64')}?=`;
    });
    const headers = [`From: ${SENDER}`, 'To: ada@example.org', `Subject: ${words.join('\r\n ')}`];
    const client = await fixture.login();
    const reply = await client.submit(SENDER, ['ada@example.org'], [...headers, '', 'Hello'].join('\r\n'));
    client.close();
    expect(reply.code).toBe(250);
    await received(1);
    const rows = await fixture.service.query('SELECT subject FROM message_logs WHERE id = $1', [idIn(reply.text)]);
    expect(rows).toEqual([{ subject: `x${'😀'.repeat(498)}\ufffd` }]);
  });

  it('has its headers encoded, because other bytes than ASCII need SMTPUTF8', async () => {
    const headers = [
      `From: ${SENDER}`,
      'To: Jürgen <ada@example.org>',
      'Reply-To: "Größe, M" <m@grüße.example>, b@example.org',
      'Subject: Grüße',
      'X-Note: Größe',
      'MIME-Version: 1.0',
    ];
    const client = await fixture.login();
    const latin = Buffer.from('X-Latin: caf\xe9\r\n', 'latin1');
    const mail = (lines: string[]) => Buffer.concat([latin, Buffer.from([...lines, ...CALENDAR].join('\r\n'))]);
    expect((await client.submit(SENDER, ['ada@example.org'], mail(headers))).code).toBe(250);
    const [{ raw, parsed } = { raw: '', parsed: null }] = await received(1);
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).toMatch(/^[\0-\x7f]*$/);
    expect(parsed).toMatchObject({
      subject: 'Grüße',
      to: { value: [{ name: 'Jürgen', address: 'ada@example.org' }] },
      replyTo: { value: [{ name: 'Größe, M', address: 'm@grüße.example' }, { address: 'b@example.org' }] },
    });
    expect(raw).toContain('X-Note: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?=\r\n');
    expect(raw).toContain('X-Latin: =?UTF-8?Q?caf=C3=A9?=\r\n');
    for (const header of ['To: jürgen@example.org', 'Reply-To: jürgen@example.org, b@example.org'])
      expect(await client.submit(SENDER, ['ada@example.org'], mail([`From: ${SENDER}`, header]))).toEqual({
        code: 554,
        text: expect.stringMatching(/^5\.6\.7 The mail has non-ASCII characters before the @ in /),
      });
    client.close();
  });

  it('keeps several Reply-To, which a plain mail cannot have', async () => {
    const client = await fixture.login();
    const replyTo = ['Reply-To: Support <support@example.com>', 'Reply-To: tickets@example.com'];
    const lines = [`From: ${SENDER}`, 'To: ada@example.org', ...replyTo, 'Subject: Hi', '', 'Hello'];
    idIn((await client.submit(SENDER, ['ada@example.org'], lines.join('\r\n'))).text);
    client.close();
    const [{ raw } = { raw: '' }] = await received(1);
    expect(raw.match(/^Reply-To: .*$/gm)).toEqual(replyTo);
  });

  it('has one Date, even if it came with a space before the colon', async () => {
    const client = await fixture.login();
    const lines = [`From: ${SENDER}`, 'Date : Mon, 1 Jun 2026 10:00:00 +0200', ...CALENDAR];
    await client.submit(SENDER, ['ada@example.org'], lines.join('\r\n'));
    client.close();
    const [{ raw } = { raw: '' }] = await received(1);
    expect(raw.match(/^Date ?:.*$/gm)).toEqual(['Date: Mon, 1 Jun 2026 10:00:00 +0200']);
  });

  it('is sent to each recipient of the envelope, and shown without its other bytes', async () => {
    const id = await submit(CALENDAR, ['ada@example.org', 'boss@example.org']);
    await received(2);
    const { body } = await fixture.sender.account.asMember('get', `/api/messages/${id}`).expect(200);
    expect(body).toMatchObject({ role: 'to', tags: ['raw'], subject: 'Grüße', attachments: [], from: SENDER });
    expect(body.copies).toMatchObject([{ email: 'boss@example.org', role: 'bcc' }]);
    const source = await fixture.sender.account.asMember('get', `/api/messages/${id}/source`).expect(200);
    expect(source.body.source).toContain('BEGIN:VCALENDAR');
    await fixture.sender.account.asMember('get', `/api/messages/${id}/attachments/0`).expect(404);
  });

  it('keeps bytes above 127, and says so to the relay', async () => {
    await submit(Buffer.concat([Buffer.from(LATIN.join('\r\n')), Buffer.from('\r\n<p>caf\xe9</p>', 'latin1')]));
    const { raw } = (await received(1))[0]!;
    expect(Buffer.from(raw).includes(Buffer.from('<p>caf'))).toBe(true);
    expect(raw).not.toContain('quoted-printable');
  });

  it('may have several megabytes', async () => {
    const line = `${'A'.repeat(76)}\r\n`;
    const id = await submit([...SIGNED.slice(0, -2), line.repeat(60_000) + SIGNED.at(-2)!, SIGNED.at(-1)!]);
    const { raw } = (await received(1))[0]!;
    expect(raw).toContain(id);
    expect(raw.length).toBeGreaterThan(4_600_000);
    expect(raw.trimEnd().endsWith('MIIB\r\n--sig--')).toBe(true);
    await fixture.sender.reaches(id, 'sent', 1);
  });

  it('keeps nothing of a recipient who was erased, whom To or Cc named', async () => {
    const { account } = fixture.sender;
    const headers = [
      `From: ${SENDER}`,
      'To: Left <left@example.org>, Gone <Gone@example.org>, unreadable',
      'Cc: =?utf-8?Q?Gr=C3=BCn?= <gone@example.org>, Other <other@example.net>',
      ...['Resent-To', 'Delivered-To', 'X-Original-To', 'Envelope-To'].map((name) => `${name}: gone@example.org`),
      'Received: from a.example by b.example for <gone@example.org>; Mon, 1 Jun 2026 10:00:00 +0200',
      'MIME-Version: 1.0',
    ];
    const client = await fixture.login();
    const mail = [...headers, ...CALENDAR].join('\r\n');
    const id = idIn((await client.submit(SENDER, ['left@example.org', 'gone@example.org'], mail)).text);
    client.close();
    for (const { raw } of await received(2)) {
      expect(raw).toMatch(/^To: Left <left@example\.org>, Gone <Gone@example\.org>\r$/m);
      expect(raw).toMatch(/^Cc: =\?UTF-8\?Q\?Gr=C3=BCn\?= <gone@example\.org>, Other <other@example\.net>\r$/m);
      expect(raw.match(/^(?:To|Cc):/gim)).toHaveLength(2);
    }
    await waitFor('both deliveries to be recorded', async () => {
      return (await fixture.service.query('SELECT FROM pending_deliveries')).length === 0;
    });
    const { body } = await account.asAdmin('post', '/api/contacts').send({ email: 'gone@example.org' });
    await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
    const { source } = (await account.asMember('get', `/api/messages/${id}/source`).expect(200)).body;
    expect(source).toMatch(/^To: Left <left@example\.org>\r\nCc: Other <other@example\.net>\r$/m);
    const kept = await fixture.service.query(
      `SELECT convert_from(a.bytes, 'LATIN1') || c.visible AS text
      FROM message_attachments a, message_contents c WHERE a.group_id = $1 AND c.message_id = $1`,
      [id],
    );
    expect(kept).toEqual([{ text: expect.stringMatching(/left@example\.org/) }]);
    expect(JSON.stringify(kept)).not.toMatch(/gone/i);
  });

  it('goes with the content of its messages when all of its recipients are erased', async () => {
    const id = await submit(FORWARDED, ['erase@example.org', 'erase2@example.org']);
    await received(2);
    const { account } = fixture.sender;
    const stored = async () =>
      (await fixture.service.query('SELECT FROM message_attachments WHERE group_id = $1', [id])).length;
    const erase = async (email: string) => {
      const { body } = await account.asAdmin('post', '/api/contacts').send({ email });
      await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
    };
    await waitFor('both deliveries to be recorded', async () => {
      const pending = await fixture.service.query('SELECT FROM pending_deliveries');
      return pending.length === 0;
    });
    await erase('erase@example.org');
    expect(await stored()).toBe(1);
    await erase('erase2@example.org');
    expect(await stored()).toBe(0);
  });
});
