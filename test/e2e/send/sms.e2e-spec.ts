import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { badRequest, errorBody } from '../../support/errors.js';
import { ORIGINATION, RECIPIENT, type SmsAccount, SmsFixture } from '../../support/sms-fixture.js';

const INVALID = 'to must be a phone number in E.164 format or of 10 digits (US)';

describe('POST /api/send/sms', () => {
  let fixture: SmsFixture;
  let sms: SmsAccount;

  beforeAll(async () => {
    fixture = await SmsFixture.start({ ROLE: 'api' });
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.aws.reset();
    sms = await fixture.open();
  });

  const post = (body: object = {}) => fixture.post(sms.key, body);
  const stored = () => fixture.service.query('SELECT FROM message_logs WHERE account_id = $1', [sms.account.id]);
  const inAws = () => fixture.aws.account(sms.accessKeyId).sms;

  it('stores the message and returns its segments', async () => {
    const { body, headers } = await post({ to: '(415) 555-0100' }).expect(201);
    expect(body).toEqual({ queued: true, messageLogId: expect.any(String), segments: 1, encoding: 'gsm7' });
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '999' });
    expect(await fixture.read(sms.key, body.messageLogId)).toMatchObject({
      channel: 'sms',
      status: 'queued',
      to: RECIPIENT,
      from: ORIGINATION,
      subject: null,
      segments: 1,
      encoding: 'gsm7',
      apiKeyId: sms.key.id,
      events: [],
    });
    const [content] = await fixture.service.query('SELECT html, text FROM message_contents WHERE message_id = $1', [
      body.messageLogId,
    ]);
    expect(content).toEqual({ html: null, text: 'Your code is 4711' });
  });

  it.each([
    ['160 characters', 'a'.repeat(160), 1, 'gsm7'],
    ['161 characters', 'a'.repeat(161), 2, 'gsm7'],
    ['1,530 characters', 'a'.repeat(1_530), 10, 'gsm7'],
    ['760 extension characters', '€'.repeat(760), 10, 'gsm7'],
    ['670 Cyrillic characters', 'ж'.repeat(670), 10, 'ucs2'],
    ['an emoji at the end of a segment', `${'a'.repeat(66)}🎉${'a'.repeat(66)}`, 3, 'ucs2'],
  ])('accepts %s', async (_, body, segments, encoding) => {
    expect((await post({ body }).expect(201)).body).toMatchObject({ segments, encoding });
  });

  it.each([
    [{ to: undefined }, 'to must be a string'],
    [{ to: 4_155_550_100 }, 'to must be a string'],
    [{ to: '' }, INVALID],
    [{ to: 'ada@example.org' }, INVALID],
    [{ to: '+1415555010' }, INVALID],
    [{ to: '+999123456789' }, INVALID],
    [{ to: '72727' }, 'to is a short code: SMS go to phone numbers only'],
    [{ to: '+442079460000' }, 'to is a landline, which receives no SMS'],
    [{ to: '+19005550199' }, 'to is a premium-rate number'],
    [{ body: undefined }, 'body must be a string'],
    [{ body: '' }, 'body must not be empty'],
    [{ body: ' \n ' }, 'body must not be empty'],
    [{ to: '911', body: '' }, 'to is a short code: SMS go to phone numbers only; body must not be empty'],
    [{ from: '+12065550199' }, 'from is not a known field'],
  ])('refuses %j', async (body, message) => {
    const { body: answer } = await post(body);
    expect(answer).toEqual(badRequest(message));
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['1,531 characters', 'a'.repeat(1_531), 'at most 10 segments are sent'],
    ['761 extension characters', '€'.repeat(761), 'it takes 11 segments, at most 10 are sent'],
    ['671 Cyrillic characters', 'ж'.repeat(671), 'it takes 11 segments, at most 10 are sent'],
  ])('refuses %s', async (_, body, message) => {
    await post({ body }).expect(400, badRequest(`body is too long: ${message}`));
  });

  it.each(['{"to":"+14155550100","body":"a\\ud83c"}', '{"to":"+14155550100","body":"\\udf89b"}'])(
    'refuses half of an emoji: %s',
    async (json) => {
      await fixture.service
        .request('post', '/api/send/sms')
        .set('X-API-Key', sms.key.secret)
        .set('Content-Type', 'application/json')
        .send(json)
        .expect(400, badRequest('body holds a character that cannot be stored'));
    },
  );

  it('refuses a number that has opted out, in any format', async () => {
    await sms.account.asAdmin('post', '/api/suppressions').send({ phone: RECIPIENT }).expect(201);
    for (const to of [RECIPIENT, '4155550100', '+1 (415) 555-0100']) {
      await post({ to }).expect(400, badRequest(`${RECIPIENT} has opted out of SMS`));
    }
    expect(await stored()).toEqual([]);
  });

  it('refuses an account without SMS or without an origination number', async () => {
    const never = await fixture.service.createAccount();
    const disabled = await fixture.open({ enabled: false });
    for (const key of [await never.createKey(), disabled.key]) {
      await fixture.post(key).expect(400, badRequest('SMS is not enabled for this account'));
    }
    const { key } = await fixture.open({ originationNumber: null });
    await fixture.post(key).expect(400, badRequest('No origination number is set for this account'));
  });

  it('refuses a number that is not verified in the sandbox, until it is', async () => {
    const refusal = badRequest(`${RECIPIENT} is not verified, and the AWS account is in the SMS sandbox`);
    inAws().sandbox = true;
    inAws().sandboxNumbers.set(RECIPIENT, 'Pending').set('+14155550101', 'Verified');
    await post().expect(400, refusal);
    await post({ to: '+14155550101' }).expect(201);
    const { body } = await sms.account.asAdmin('get', '/api/settings').expect(200);
    expect(body.sms).toMatchObject({ sandbox: true, verifiedNumbers: ['+14155550101'] });
    inAws().sandboxNumbers.set(RECIPIENT, 'Verified');
    await post().expect(400, refusal);
    expect(fixture.aws.requests('GetSMSSandboxAccountStatus')).toBe(1);
    fixture.service.clock.advance({ seconds: 61 });
    await post().expect(201);
  });

  it('keeps the sandbox status after an unrelated change of settings', async () => {
    const refusal = badRequest(`${RECIPIENT} is not verified, and the AWS account is in the SMS sandbox`);
    inAws().sandbox = true;
    await post().expect(400, refusal);
    fixture.service.clock.advance({ seconds: 1 });
    const { body } = await sms.account
      .asAdmin('patch', '/api/settings')
      .send({ ses: { configurationSet: 'shop' }, sms: { maxSendRate: 3, senderId: 'Shop' } })
      .expect(200);
    expect(body.sms).toMatchObject({ sandbox: true, checkedAt: expect.any(String) });
    await fixture.knows(sms.account, (provider) => JSON.stringify(provider).includes('"maxSendRate":3'));
    fixture.aws.answer = () => ({ status: 403, error: 'AuthorizationError', message: 'No' });
    await post().expect(400, refusal);
  });

  it.each([
    ['region', { sms: { region: 'us-west-2' } }],
    ['SES', { ses: null }],
  ])('forgets the sandbox status after a change of %s', async (_, change) => {
    inAws().sandbox = true;
    await post().expect(400);
    const { body } = await sms.account.asAdmin('patch', '/api/settings').send(change).expect(200);
    expect(body.sms).toMatchObject({ sandbox: null, verifiedNumbers: [], checkedAt: null });
  });

  it('reads the status again after a change of credentials', async () => {
    inAws().sandbox = true;
    await post().expect(400);
    const ses = { accessKeyId: 'AKIAOUTOFSANDBOX', secretAccessKey: 'another secret' };
    fixture.service.clock.advance({ seconds: 1 });
    const { body } = await sms.account.asAdmin('patch', '/api/settings').send({ ses }).expect(200);
    expect(body.sms).toMatchObject({ sandbox: null, checkedAt: null });
    await fixture.knows(sms.account, (provider) => JSON.stringify(provider).includes('AKIAOUTOFSANDBOX'));
    await post().expect(201);
  });

  it.each([
    ['refuses the request', { status: 403, error: 'AuthorizationError', message: 'No' }],
    ['fails', { status: 500, error: 'InternalError', message: 'Oops' }],
    ['does not answer', 'hang' as const],
  ])(
    'accepts messages if SNS %s for the sandbox status, and does not repeat the request for each',
    async (_, answer) => {
      fixture.aws.answer = () => answer;
      await post().expect(201);
      await post().expect(201);
      expect(fixture.aws.requests('GetSMSSandboxAccountStatus')).toBe(1);
    },
  );

  it('requires a valid key with the scope', async () => {
    const key = await sms.account.createKey({ scopes: ['send', 'read_events'] });
    await fixture.post(key).expect(403, errorBody(403, 'API key is missing required scope: sms:send'));
    await fixture.post({ id: '', secret: 'sk_unknown' }).expect(401, errorBody(401, 'Invalid API key'));
    await sms.account.asAdmin('delete', `/api/api-keys/${sms.key.id}`).expect(200);
    await post().expect(401, errorBody(401, 'Invalid API key'));
  });

  it('shares the caps of key and account exactly with e-mail', async () => {
    const limited = await sms.account.createKey({ dailyLimit: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.post(limited)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    await fixture.post(limited).expect(400, badRequest('Daily send limit reached for this API key'));

    await sms.account.asAdmin('patch', '/api/settings').send({ dailySendCap: 5 }).expect(200);
    await sms.account.verifySender('shop@example.com');
    const email = { to: 'ada@example.org', fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' };
    const sendEmail = () =>
      fixture.service.request('post', '/api/send/transactional').set('X-API-Key', sms.key.secret).send(email);
    await sendEmail().expect(201);
    const { headers } = await post().expect(201);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' });
    const refused = await post({ body: '' }).expect(429, errorBody(429, 'Daily send limit reached'));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await sendEmail().expect(429);
  });

  it('does not count refused messages', async () => {
    const key = await sms.account.createKey({ dailyLimit: 1 });
    await fixture.post(key, { body: '' }).expect(400);
    await fixture.post(key, { to: '911' }).expect(400);
    await fixture.post(key).expect(201);
  });
});

describe('POST /api/send/sms/preview', () => {
  let fixture: SmsFixture;
  let sms: SmsAccount;

  beforeAll(async () => {
    fixture = await SmsFixture.start({ ROLE: 'api' });
    sms = await fixture.open({ enabled: false });
  });
  afterAll(() => fixture.stop());

  const preview = (body: unknown, secret = sms.key.secret) =>
    fixture.service.request('post', '/api/send/sms/preview').set('X-API-Key', secret).send({ body });

  it.each([
    ['Your code is 4711', { segments: 1, encoding: 'gsm7', ucs2Characters: [] }],
    ['🎉 “Hello” 🎉', { segments: 1, encoding: 'ucs2', ucs2Characters: ['🎉', '“', '”'] }],
    ['ж\n'.repeat(400), { segments: 12, encoding: 'ucs2', ucs2Characters: ['ж'] }],
  ])('counts %#', async (body, expected) => {
    await preview(body).expect(200, { ...expected, maxSegments: 10 });
  });

  it('sends nothing and uses up no cap', async () => {
    const { secret, id } = await sms.account.createKey({ dailyLimit: 1 });
    await preview('Hello', secret).expect(200);
    await preview('Hello', secret).expect(200);
    expect(await fixture.service.query('SELECT FROM message_logs')).toEqual([]);
    expect(await fixture.service.query('SELECT FROM daily_usage WHERE subject_id = $1 AND used > 0', [id])).toEqual([]);
  });

  it.each([
    ['', 'body must not be empty'],
    [7, 'body must be a string'],
    ['a'.repeat(3_061), 'body must be shorter than or equal to 3060 characters'],
  ])('refuses %#', async (body, message) => {
    await preview(body).expect(400, badRequest(message));
  });

  it('requires the scope', async () => {
    const { secret } = await sms.account.createKey({ scopes: ['send'] });
    await preview('Hello', secret).expect(403, errorBody(403, 'API key is missing required scope: sms:send'));
  });
});
