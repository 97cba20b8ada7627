import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { SENDER } from '../../support/relay-fixture.js';
import { plain, SmtpClient } from '../../support/smtp-client.js';
import { SubmissionFixture } from '../../support/submission-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const TO = 'ada@example.org';
const HEADERS = [`From: ${SENDER}`, `To: ${TO}`, 'Subject: Hi'];
const mailOf = (body: string | Buffer, headers: string[] = []) =>
  Buffer.concat([Buffer.from([...HEADERS, ...headers, '', ''].join('\r\n')), Buffer.from(body)]);

const MIXED = ['Content-Type: multipart/mixed; boundary=b'];
const nested = (depth: number): Buffer => {
  const opening = Array.from(
    { length: depth },
    (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`,
  );
  const closing = Array.from({ length: depth + 1 }, (_, i) => `--b${depth - i}--\r\n`);
  return mailOf(`${opening.join('')}--b${depth}\r\n\r\nHello\r\n${closing.join('')}`, [
    'Content-Type: multipart/mixed; boundary=b0',
  ]);
};
const parts = (count: number): Buffer =>
  mailOf(`${'--b\r\n\r\nx\r\n'.repeat(count)}--b--`, ['Content-Type: multipart/mixed; boundary=b']);

/** https://www.postfix.org/smtp-smuggling.html and the sequences published with it. */
const SMUGGLING = [
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r\n.\r',
  '\r.\r\n',
  '\n.\r',
  '\r\n\0.\r\n',
  '\r\r\n.\r\r\n',
];

describe('Hostile clients of SMTP submission', () => {
  let fixture: SubmissionFixture;
  const clients: SmtpClient[] = [];

  beforeAll(async () => {
    fixture = await SubmissionFixture.start();
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(() => fixture.stop());

  const keep = (client: SmtpClient) => {
    clients.push(client);
    return client;
  };
  const login = async () => keep(await fixture.login());
  const connect = async (localAddress = '127.0.0.1') => keep(await SmtpClient.open(fixture.port, { localAddress }));
  const stored = async () => [
    (await fixture.service.query('SELECT FROM message_logs')).length,
    (await fixture.service.query('SELECT FROM message_attachments')).length,
  ];

  /** Transactions with the code 421. */
  const closed = async (): Promise<number> => {
    const { text } = await fixture.service.request('get', '/metrics').expect(200);
    return Number(/^smtp_transaction_duration_seconds_count\{code="421"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  it.each(SMUGGLING.map((sequence) => [JSON.stringify(sequence), sequence]))(
    'does not take %s for the end of a mail, and refuses the mail',
    async (_, sequence) => {
      const before = await stored();
      const client = await login();
      const smuggled = `MAIL FROM:<${SENDER}>\r\nRCPT TO:<victim@example.org>\r\nDATA\r\n${HEADERS.join('\r\n')}\r\n\r\nx`;
      const { code, text } = await client.submit(SENDER, [TO], mailOf(`Hello${sequence}${smuggled}`));
      expect([code, text]).toEqual([554, expect.stringMatching(/CRLF|NUL/)]);
      await client.expect(250, 'NOOP');
      expect(client.unread).toBe('');
      expect(await stored()).toEqual(before);
    },
  );

  it.each([
    ['1,000 nested multiparts', nested(1_000), 554, /nested too deep/],
    ['multiparts nested just too deep', nested(21), 554, /nested too deep/],
    ['10,000 parts', parts(10_000), 554, /too many parts/],
    [
      'a multipart without an end',
      mailOf('--b\r\n\r\nx', ['Content-Type: multipart/mixed; boundary=b']),
      250,
      /^Queued/,
    ],
    ['a multipart without a boundary', mailOf('x', ['Content-Type: multipart/mixed']), 554, /no boundary/],
    ['a boundary that never occurs', mailOf('x', ['Content-Type: multipart/mixed; boundary=b']), 250, /^Queued/],
    ['a line that is no header', Buffer.from(`${HEADERS.join('\r\n')}\r\nnonsense\r\n\r\nx`), 554, /has no name/],
    ['a header of 200 kB', mailOf('x', [`X-Long: ${'x'.repeat(200_000)}`]), 554, /headers are too long/],
    [
      'a header of 20 kB in a part',
      mailOf(`--b\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\nx\r\n--b--`, MIXED),
      554,
      /too long/,
    ],
    [
      'parts with 600 kB of headers',
      mailOf(
        `${`--b\r\nContent-Type: application/x; name="${'=?utf-8?B?YQ?='.repeat(1_000)}"\r\n\r\n\r\n`.repeat(43)}--b--`,
        MIXED,
      ),
      554,
      /too long/,
    ],
    [
      '20,000 headers',
      mailOf(
        'x',
        Array.from({ length: 20_000 }, (_, i) => `X-${i}: x`),
      ),
      554,
      /too long|too many headers/,
    ],
    ['a body of one line of 2 MB that cannot be composed', mailOf('x'.repeat(2_000_000)), 554, /line of more than/],
    ['no headers at all', Buffer.from('\r\nHello'), 550, /is not verified/],
    ['900 nested comments in a header', mailOf('x', [`Content-Type: ${'('.repeat(900)}text/plain`]), 250, /^Queued/],
    ['encoded words without an end', mailOf('x', [`X-Words: ${'=?utf-8?Q?a\r\n '.repeat(3_000)}`]), 250, /^Queued/],
    [
      'text in another charset than it says',
      mailOf(Buffer.from('caf\xe9', 'latin1'), ['Content-Type: text/plain; charset=utf-8']),
      250,
      /^Queued/,
    ],
    ['an unknown charset', mailOf('x', ['Content-Type: text/plain; charset="no such charset"']), 250, /^Queued/],
    [
      'an attachment that is no base64',
      mailOf(
        '--b\r\n\r\nx\r\n--b\r\nContent-Disposition: attachment; filename=a\r\nContent-Transfer-Encoding: base64\r\n\r\n*!\r\n--b--',
        ['Content-Type: multipart/mixed; boundary=b'],
      ),
      250,
      /^Queued/,
    ],
  ] as const)('answers %s', async (_, mail, code, text) => {
    const client = await login();
    expect(await client.submit(SENDER, [TO], mail)).toEqual({ code, text: expect.stringMatching(text) });
    await client.expect(250, 'NOOP');
  });

  it('ends a session that sends endless commands, commands too early, HTTP or nonsense', async () => {
    const early = await connect();
    early.write('EHLO client.example\r\n');
    expect((await early.reply()).code).toBe(421);
    for (const data of [`EHLO ${'x'.repeat(50_000)}`, 'GET / HTTP/1.1\r\n', 'NONSENSE\r\n'.repeat(20)]) {
      const client = await connect();
      await client.reply();
      client.write(data);
      await client.untilClosed();
      expect(client.unread).toMatch(/^421 /m);
    }
  });

  it('refuses all but 50 of 10,000 recipients', async () => {
    const client = await login();
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    client.write(Array.from({ length: 10_000 }, (_, i) => `RCPT TO:<r${i}@example.org>\r\n`).join(''));
    const codes = new Map<number, number>();
    for (let i = 0; i < 10_000; i++) {
      const { code } = await client.reply();
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(Object.fromEntries(codes)).toEqual({ 250: 50, 452: 9_950 });
  });

  it('cuts off a mail without an end, and keeps nothing of it', async () => {
    const before = await stored();
    const client = await login();
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    await client.expect(250, `RCPT TO:<${TO}>`);
    await client.expect(354, 'DATA');
    client.write(mailOf(''));
    const chunk = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(1_000));
    let sent = 0;
    while (!client.isClosed && sent < 2_000_000_000) {
      await client.push(chunk);
      sent += chunk.length;
    }
    expect(sent).toBeLessThan(100_000_000);
    expect(await stored()).toEqual(before);
  });

  it('keeps nothing of a mail whose client disconnects before its end', async () => {
    const before = await stored();
    const client = await login();
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    await client.expect(250, `RCPT TO:<${TO}>`);
    await client.expect(354, 'DATA');
    await client.push(mailOf('x'.repeat(70_000)));
    const closedBefore = await closed();
    client.close();
    await waitFor('the end of the transaction, which is no error', async () => (await closed()) === closedBefore + 1);
    const other = await login();
    expect((await other.submit(SENDER, [TO], mailOf('Hello'))).code).toBe(250);
    expect((await stored())[0]).toBe(before[0]! + 1);
  });

  it('discards what was sent in plaintext behind STARTTLS', async () => {
    const client = await connect();
    await client.reply();
    await client.expect(250, 'EHLO client.example');
    client.write(`STARTTLS\r\nEHLO injected.example\r\nAUTH PLAIN ${plain(fixture.secret)}\r\n`);
    expect((await client.reply()).code).toBe(220);
    await client.upgrade();
    expect((await client.send('NOOP')).code).toBe(250);
    expect(client.unread).toBe('');
    expect(await client.send(`MAIL FROM:<${SENDER}>`)).toMatchObject({ code: 503 });
    await client.expect(250, 'EHLO client.example');
    expect(await client.send(`MAIL FROM:<${SENDER}>`)).toMatchObject({ code: 530 });
  });

  it('answers the tenth wrong key of an address within 15 minutes with 421, and still accepts right ones', async () => {
    const guess = async (localAddress: string) => {
      const client = await connect(localAddress);
      await client.reply();
      await client.expect(250, 'EHLO client.example');
      const { code } = await client.send(`AUTH PLAIN ${plain('sk_guess')}`);
      return code;
    };
    const codes = [];
    for (let i = 0; i < 12; i++) codes.push(await guess('127.0.0.50'));
    expect(codes).toEqual([...Array.from({ length: 9 }, () => 535), 421, 421, 421]);
    expect(await guess('127.0.0.51')).toBe(535);
    keep(await fixture.login({ localAddress: '127.0.0.50' }));
    fixture.service.clock.advance({ minutes: 16 });
    expect(await guess('127.0.0.50')).toBe(535);
  });
});
