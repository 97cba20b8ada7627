import { createHash } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';

describe('POST /api/senders', () => {
  let fixture: RelayFixture;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start({ MAIL_FROM: 'service@example.net', BASE_URL: 'https://mail.example.net' });
    ({ service, relay } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    relay.reset();
    await service.query('DELETE FROM verification_mail_counts'); // the tests share addresses
    account = await service.createAccount({ name: 'Acme <Paper> & Sons' });
  });

  const create = (email: unknown) => account.asAdmin('post', '/api/senders').send({ email });
  const providerError = (detail: string) => errorBody(500, `Provider error: ${detail}`);
  const listed = async () => (await account.asMember('get', '/api/senders').expect(200)).body.items;

  it('adds a pending sender and mails its link', async () => {
    const { body } = await create(' Ada@Bücher.example ').expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      email: 'Ada@Bücher.example',
      status: 'pending',
      verifiedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const [mail, ...others] = relay.received();
    expect(others).toEqual([]);
    expect(mail!.envelope).toEqual({ from: 'service@example.net', to: ['Ada@bücher.example'] });
    expect(mail!.raw).toContain('To: Ada@xn--bcher-kva.example\r\n');
    expect(mail!.parsed).toMatchObject({
      subject: 'Confirm your address as a sender',
      from: { text: 'service@example.net' },
      text: expect.stringContaining('Someone has asked to send email from this address.'),
      html: expect.stringContaining('Someone has asked to send email from this address.'),
    });
    expect(mail!.parsed.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('stores only the SHA-256 of the mailed token, for 24 hours', async () => {
    const { body } = await create('ada@example.com').expect(201);
    const { text, html } = relay.received()[0]!.parsed;
    const [link, token] = /https:\/\/mail\.example\.net\/verify-sender\/([A-Za-z0-9_-]{43})\n/.exec(text!)!;
    expect(html).toContain(`<a href="${link.trim()}">`);
    const [row] = await service.query<{ token_hash: Buffer; token_expires_at: Date }>(
      'SELECT token_hash, token_expires_at FROM senders WHERE id = $1',
      [body.id],
    );
    expect(row!.token_hash).toEqual(createHash('sha256').update(token!).digest());
    expect(row!.token_expires_at.getTime() - Date.parse(body.createdAt)).toBe(24 * 3_600_000);
  });

  it('refuses the address of an existing sender, in any spelling', async () => {
    await create('ada@bücher.example').expect(201);
    for (const email of ['ada@bücher.example', 'ADA@BÜCHER.example', 'ada@xn--bcher-kva.example']) {
      await create(email).expect(409, errorBody(409, `${email} is already a sender of this account`));
    }
    expect(relay.received()).toHaveLength(1);
  });

  it('adds the same address in several accounts', async () => {
    await create('ada@example.com').expect(201);
    account = await service.createAccount();
    await create('ada@example.com').expect(201);
  });

  it('adds the address once and mails one link for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('ada@example.com')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(relay.received()).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
  });

  it.each([
    [{}, 'email must be an email address'],
    [{ email: null }, 'email must be an email address'],
    [{ email: ['ada@example.com'] }, 'email must be an email address'],
    [{ email: 'ada' }, 'email must be an email address'],
    [{ email: 'Ada <ada@example.com>' }, 'email must be an email address without a name and angle brackets'],
    [{ email: 'ada@example.com\r\nBcc: bob@example.com' }, 'email must be an email address'],
    [{ email: `ada@example.com${' '.repeat(306)}` }, 'email must be an email address'],
    [{ email: 'ada@example.com', status: 'verified' }, 'status is not a known field'],
  ])('refuses %j', async (body, message) => {
    await account.asAdmin('post', '/api/senders').send(body).expect(400, errorBody(400, message));
    expect(relay.received()).toEqual([]);
  });

  it.each([
    ['mail', 450, 'Greylisted'],
    ['rcpt', 550, 'No such user here'],
    ['data', 554, 'Looks like spam'],
  ])('shows what the relay answers when it refuses at %s; no sender is added', async (refusedAt, code, message) => {
    relay.answer = (stage) => (stage === refusedAt ? { code, message } : undefined);
    await create('ada@example.com').expect(500, providerError(`${code} ${message}`));
    expect(await listed()).toEqual([]);
    expect(relay.received()).toEqual([]);
  });

  it('can be repeated at once if the relay refused the mail', async () => {
    relay.answer = () => ({ code: 421, message: 'Too busy' });
    await create('ada@example.com').expect(500);
    relay.reset();
    await create('ada@example.com').expect(201);
    expect(relay.received()).toHaveLength(1);
  });

  it('reports that the relay closed the connection', async () => {
    relay.answer = (stage) => (stage === 'data' ? 'drop' : undefined);
    const { body } = await create('ada@example.com').expect(500);
    expect(body.message).toMatch(/^Provider error: the SMTP relay cannot be used \(E[A-Z]+\)$/);
  });

  it('waits at most 15 seconds for the relay', async () => {
    const passed = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(passed.signal);
    relay.answer = (stage) => {
      if (stage === 'data') passed.abort();
      return stage === 'data' ? 'hang' : undefined;
    };
    await create('ada@example.com').expect(500, providerError('the SMTP relay did not answer in time'));
    expect(timeout).toHaveBeenCalledWith(15_000);
    timeout.mockRestore();
  });

  it('sends nothing after that time', async () => {
    const passed = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(passed.signal);
    relay.answer = (stage) => {
      if (stage === 'rcpt') passed.abort();
      return undefined;
    };
    await create('ada@example.com').expect(500, providerError('the SMTP relay did not answer in time'));
    timeout.mockRestore();
    relay.answer = () => undefined;
    await create('ada@example.com').expect(201);
    expect(relay.received()).toHaveLength(1);
  });
});

describe('POST /api/senders in an installation without a relay', () => {
  it('mails through the relay of the account', async () => {
    const credentials = { username: 'acme', password: 'secret' };
    const [own, service] = await Promise.all([SmtpSink.start({ credentials }), TestService.shared()]);
    try {
      const account = await service.createAccount();
      const create = (email: string) => account.asAdmin('post', '/api/senders').send({ email });
      const smtp = { host: '127.0.0.1', port: own.port, ...credentials };
      await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
      own.answer = () => ({ code: 421, message: 'Too busy' });
      await create('eve@example.com').expect(500);
      own.reset();
      await create('ada@example.com').expect(201);
      expect(own.received()).toHaveLength(1);
    } finally {
      await service.stop();
      await own.stop();
    }
  });

  it('answers that no relay is configured, and adds no sender', async () => {
    const service = await TestService.shared();
    try {
      const account = await service.createAccount();
      await account
        .asAdmin('post', '/api/senders')
        .send({ email: 'ada@example.com' })
        .expect(500, errorBody(500, 'Provider error: no SMTP relay is configured'));
      const { body } = await account.asAdmin('get', '/api/senders').expect(200);
      expect(body.items).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
