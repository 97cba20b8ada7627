import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { inHours } from '../../support/schedules.js';
import { SENDER } from '../../support/relay-fixture.js';
import { plain, SmtpClient } from '../../support/smtp-client.js';
import { idIn, SubmissionFixture } from '../../support/submission-fixture.js';

const TO = 'ada@example.org';
const mail = (headers: string[] = [`From: ${SENDER}`]) =>
  [...headers, `To: ${TO}`, 'Subject: Hi', '', 'Hello'].join('\r\n');

describe('The replies of SMTP submission', () => {
  let fixture: SubmissionFixture;
  const clients: SmtpClient[] = [];

  beforeAll(async () => {
    fixture = await SubmissionFixture.start({ SMTP_ALLOW_PLAINTEXT_AUTH: 'false', MAX_ATTACHMENTS_MB: '1' });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });
  afterAll(() => fixture.stop());

  const keep = (client: SmtpClient) => {
    clients.push(client);
    return client;
  };
  const open = async () => {
    const client = keep(await SmtpClient.open(fixture.port));
    await client.reply();
    return client;
  };
  const login = async (secret = fixture.secret) =>
    keep(await SmtpClient.login(fixture.tlsPort, secret, { secure: {} }));
  const messages = async () => (await fixture.service.query('SELECT FROM message_logs')).length;

  it('offers AUTH only on connections with TLS, and refuses it on others', async () => {
    const client = await open();
    const { text } = await client.expect(250, 'EHLO client.example');
    expect(text.split('\n')).toEqual(expect.arrayContaining(['STARTTLS', '8BITMIME', 'PIPELINING']));
    expect(text).not.toMatch(/^AUTH/m);
    expect(await client.send(`AUTH PLAIN ${plain(fixture.secret)}`)).toMatchObject({ code: 530 });
    expect(await client.send(`MAIL FROM:<${SENDER}>`)).toMatchObject({ code: 530 });
    await client.expect(220, 'STARTTLS');
    await client.upgrade();
    expect(await client.send(`MAIL FROM:<${SENDER}>`)).toMatchObject({ code: 503 });
    expect((await client.expect(250, 'EHLO client.example')).text).toMatch(/^AUTH PLAIN LOGIN$/m);
    expect(await client.send(`MAIL FROM:<${SENDER}>`)).toEqual({ code: 530, text: 'Authentication required' });
  });

  it('accepts PLAIN and LOGIN with any user name', async () => {
    const login = [Buffer.from('whoever').toString('base64'), Buffer.from(fixture.secret).toString('base64')] as const;
    for (const steps of [
      [
        ['AUTH PLAIN', 334],
        [plain(fixture.secret), 235],
      ],
      [
        ['AUTH LOGIN', 334],
        [login[0], 334],
        [login[1], 235],
      ],
      [
        [`AUTH LOGIN ${login[0]}`, 334],
        [login[1], 235],
      ],
    ] as const) {
      const client = keep(await SmtpClient.open(fixture.tlsPort, { secure: {} }));
      await client.reply();
      await client.expect(250, 'EHLO client.example');
      for (const [line, code] of steps) await client.expect(code, line);
    }
  });

  it('refuses keys with the words of the API', async () => {
    const { account } = fixture.sender;
    const [unscoped, revoked, elsewhere] = [
      await account.createKey({ scopes: ['read_events'] }),
      await account.createKey(),
      await account.createKey(),
    ];
    await account.asAdmin('delete', `/api/api-keys/${revoked.id}`).expect(200);
    await account
      .asAdmin('patch', `/api/api-keys/${elsewhere.id}`)
      .send({ ipAllowlist: ['192.0.2.1'] })
      .expect(200);
    for (const [secret, words] of [
      ['sk_wrong', 'Invalid API key'],
      [unscoped.secret, 'API key is missing required scope: send'],
      [revoked.secret, 'Invalid API key'],
      [elsewhere.secret, 'API key denied for this client IP'],
    ] as const) {
      const client = keep(await SmtpClient.open(fixture.tlsPort, { secure: {}, localAddress: '127.0.0.9' }));
      await client.reply();
      await client.expect(250, 'EHLO client.example');
      expect(await client.send(`AUTH PLAIN ${plain(secret)}`)).toEqual({ code: 535, text: words });
    }
  });

  it('ends a session whose key was revoked at its next mail', async () => {
    const key = await fixture.sender.account.createKey();
    const client = await login(key.secret);
    expect((await client.submit(SENDER, [TO], mail())).code).toBe(250);
    await fixture.sender.account.asAdmin('delete', `/api/api-keys/${key.id}`).expect(200);
    expect(await client.send(`MAIL FROM:<${SENDER}>`)).toEqual({ code: 535, text: 'Invalid API key' });
    await client.untilClosed();
  });

  it('checks each recipient at RCPT', async () => {
    await fixture.sender.account.asAdmin('post', '/api/suppressions').send({ email: 'stop@example.org' }).expect(201);
    const client = await login();
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    expect(await client.send('RCPT TO:<Stop@example.org>')).toEqual({
      code: 550,
      text: '5.7.1 Stop@example.org is suppressed',
    });
    for (const address of ['<no-domain>', '<a b@example.org>', '<a@localhost>', 'x', '<>', '<"quoted"@example.org>'])
      expect([address, (await client.send(`RCPT TO:${address}`)).code]).toEqual([address, 553]);
    await client.expect(250, `RCPT TO:<${TO}>`);
    await client.expect(354, 'DATA');
    const reply = await client.send(`${mail()}\r\n.`);
    expect(reply.code).toBe(250);
    expect(await fixture.sender.read(idIn(reply.text))).toMatchObject({ to: TO });
  });

  it('refuses the 51st recipient', async () => {
    const client = await login();
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    for (let i = 0; i < 50; i++) await client.expect(250, `RCPT TO:<r${i}@example.org>`);
    expect(await client.send('RCPT TO:<r50@example.org>')).toMatchObject({ code: 452 });
    await client.expect(354, 'DATA');
    const before = await messages();
    expect(await client.send(`${mail()}\r\n.`)).toMatchObject({ code: 250 });
    expect(await messages()).toBe(before + 50);
  });

  it.each([
    ['is not verified', ['From: other@example.net'], /^5\.7\.1 other@example\.net is not verified for sending$/],
    ['is missing', [], /is not verified for sending$/],
    ['is given twice', [`From: ${SENDER}`, `From: ${SENDER}`], /is not verified for sending$/],
    ['has two addresses', [`From: ${SENDER}, other@example.net`], /is not verified for sending$/],
    ['hides another address in its name', [`From: "${SENDER}" <x@example.net>`], /^5\.7\.1 x@example\.net is not/],
    ['has no domain', ['From: shop'], /without a valid address is not verified for sending$/],
  ])('refuses a mail whose From %s', async (_, headers, text) => {
    const before = await messages();
    const client = await login();
    expect(await client.submit(SENDER, [TO], mail(headers))).toEqual({ code: 550, text: expect.stringMatching(text) });
    expect(await messages()).toBe(before);
    // The session goes on.
    expect((await client.submit(SENDER, [TO], mail())).code).toBe(250);
  });

  it.each([
    ['that is too long', `From: "${'x'.repeat(201)}" <${SENDER}>`],
    ['in an unknown charset', `From: =?x-klingon?Q?abc?= <${SENDER}>`],
  ])('takes a From with a name %s without it', async (_, from) => {
    const client = await login();
    const { text } = await client.submit(SENDER, [TO], mail([from]));
    const id = idIn(text);
    const { body } = await fixture.sender.account.asMember('get', `/api/messages/${id}/source`).expect(200);
    expect(body.source).toContain(`From: ${SENDER}\r\n`);
  });

  it.each(['REQUIRETLS', 'RET=HDRS', 'ENVID=x', 'FOO=1'])(
    'refuses %s at MAIL, which is not announced',
    async (given) => {
      const client = await login();
      const name = given.split('=')[0];
      expect((await client.expect(250, 'EHLO client.example')).text).not.toContain(name);
      const reply = await client.send(`MAIL FROM:<${SENDER}> BODY=8BITMIME ${given}`);
      expect(reply).toEqual({ code: 555, text: `The parameter ${name} is not known` });
      await client.expect(250, `MAIL FROM:<${SENDER}> SIZE=1000 BODY=8BITMIME SMTPUTF8 AUTH=<>`);
      expect(await client.send(`RCPT TO:<${TO}> NOTIFY=NEVER`)).toEqual({
        code: 555,
        text: 'The parameter NOTIFY is not known',
      });
      await client.expect(250, `RCPT TO:<${TO}>`);
    },
  );

  it('stores a recipient as given', async () => {
    const client = await login();
    const given = 'Ada@xn--exmple-cua.org';
    expect(await fixture.sender.read(idIn((await client.submit(SENDER, [given], mail())).text))).toMatchObject({
      to: given,
    });
  });

  it('refuses mail over the daily limits of the key and of the account', async () => {
    const { account } = fixture.sender;
    const limited = await account.createKey({ dailyLimit: 1 });
    const client = await login(limited.secret);
    expect((await client.submit(SENDER, [TO], mail())).code).toBe(250);
    const keyLimit = { code: 452, text: '4.7.1 Daily send limit reached for this API key' };
    expect(await client.submit(SENDER, [TO], mail())).toEqual(keyLimit);
    const small = await fixture.open({ dailySendCap: 2 });
    const other = await login(small.key.secret);
    const accountLimit = { code: 452, text: '4.7.1 Daily send limit reached' };
    expect(await other.submit(SENDER, [TO, 'b@example.org', 'c@example.org'], mail())).toEqual(accountLimit);
    expect((await other.submit(SENDER, [TO, 'b@example.org'], mail())).code).toBe(250);
    expect(await other.submit(SENDER, [TO], mail())).toEqual(accountLimit);
  });

  it('refuses mails that are too large, announced or not', async () => {
    const client = await login();
    const { text } = await client.expect(250, 'EHLO client.example');
    const limit = Number(/^SIZE (\d+)$/m.exec(text)![1]);
    expect(await client.send(`MAIL FROM:<${SENDER}> SIZE=${limit + 1}`)).toMatchObject({ code: 552 });
    const large = `${mail()}\r\n${`${'x'.repeat(76)}\r\n`.repeat(limit / 78)}`;
    expect(await client.submit(SENDER, [TO], large)).toMatchObject({ code: 552 });
    expect((await client.submit(SENDER, [TO], mail())).code).toBe(250);
  });

  it.each([
    ['tags', 'X-Service-Tag: in valid', 'tags[0] must be 1 to 50 letters, digits, underscores and hyphens'],
    ['metadata', 'X-Service-Metadata: {"a":1}', 'metadata.a must be a string'],
    ['metadata that are no object', 'X-Service-Metadata: [1]', 'metadata must be a JSON object'],
    [
      'an unsubscribe URL',
      'X-Service-Unsubscribe-Url: mailto:a',
      'unsubscribeUrl must be an absolute http or https URL',
    ],
    [
      'an idempotency key',
      'X-Service-Idempotency-Key: a b',
      'Idempotency-Key must be 1 to 255 visible ASCII characters',
    ],
    [
      'a scheduled time without an offset',
      'X-Service-Scheduled-At: 2026-11-22T10:00:00',
      'scheduledAt must be an ISO 8601 date-time with an offset',
    ],
    ['a scheduled time of long ago', `X-Service-Scheduled-At: ${inHours(-1)}`, 'scheduledAt is in the past'],
    [
      'a scheduled time far ahead',
      `X-Service-Scheduled-At: ${inHours(91 * 24)}`,
      'scheduledAt is more than 90 days ahead',
    ],
    ['headers for the service', 'X-Service-Color: red', 'The header x-service-color is not known'],
    ['a header given twice', 'Subject: Again', 'The header subject is given twice'],
    ['lists of addresses', `Cc: ${'a@b.example,\r\n '.repeat(2_000)}`, 'The headers have more than 2000 addresses'],
  ])('refuses invalid %s', async (_, header, text) => {
    const client = await login();
    expect(await client.submit(SENDER, [TO], mail([`From: ${SENDER}`, header]))).toEqual({ code: 554, text });
  });

  it.each(['root', 'www-data@my_host', 'a.@b.co', ''])(
    'takes the envelope sender <%s>, which is not used',
    async (from) => {
      const client = await login();
      expect((await client.submit(from, [TO], mail())).code).toBe(250);
    },
  );

  it('takes headers that are repeated, and the first Date and MIME-Version', async () => {
    const client = await login();
    const type = 'Content-Type: text/plain; charset=utf-8';
    const same = [type, type, `To: ${TO}`, 'Subject: Hi'];
    const repeated = [...same, 'MIME-Version: 1.0', 'MIME-Version: 1', 'Date: today', 'Date: now'];
    expect((await client.submit(SENDER, [TO], mail([`From: ${SENDER}`, ...repeated]))).code).toBe(250);
  });

  it('counts connections, keys and mails', async () => {
    const client = await login();
    await client.submit(SENDER, [TO], mail());
    const { text } = await fixture.service.request('get', '/metrics').expect(200);
    expect(text).toMatch(/^smtp_connections [1-9]/m);
    expect(text).toMatch(/^smtp_authentications_total\{outcome="accepted"\} [1-9]/m);
    expect(text).toMatch(/^smtp_transaction_duration_seconds_count\{code="250"\} [1-9]/m);
  });

  it('tells a client that its database is away: 451, and it may try again', async () => {
    const client = await login();
    await client.expect(250, `MAIL FROM:<${SENDER}>`);
    await client.expect(250, `RCPT TO:<${TO}>`);
    await client.expect(354, 'DATA');
    await fixture.service.withoutDatabase(async () => {
      expect(await client.send(`${mail()}\r\n.`)).toEqual({
        code: 451,
        text: 'The service is temporarily unavailable',
      });
    });
    expect((await client.submit(SENDER, [TO], mail())).code).toBe(250);
  });

  it('keeps the session if the database is away at MAIL', async () => {
    const client = await login();
    await fixture.service.withoutDatabase(async () => {
      expect(await client.send(`MAIL FROM:<${SENDER}>`)).toMatchObject({ code: 451 });
    });
    expect((await client.submit(SENDER, [TO], mail())).code).toBe(250);
  });
});
