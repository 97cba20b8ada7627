import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type request from 'supertest';

import { ERROR_CODES, type ErrorCode } from '../../src/shared/error-codes.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { RequestsInFlight } from '../../src/platform/metrics/requests-in-flight.js';
import type { TestAccount } from '../support/account.js';
import { errorBody, errorFault } from '../support/errors.js';
import { RawClient } from '../support/raw-request.js';
import { postEmail } from '../support/send-email.js';
import { addTopic } from '../support/topics.js';
import { TestService } from '../support/service.js';

const TO = 'ada@example.org';
const MAIL = { text: 'Hello' };
const OTHER = 'grace@example.org';

type Refusal = [status: number, message: string, ask: () => Promise<{ status: number; body: unknown }>];

describe('The code of an error', () => {
  let service: TestService;
  let account: TestAccount;
  let secret: string;
  let raw: RawClient;
  const answered = new Set<string>();

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', TRUSTED_PROXIES: 'any' });
    account = await service.createAccount();
    await account.verifySender('shop@example.com');
    ({ secret } = await account.createKey());
    raw = new RawClient(service.url);
  });
  afterAll(async () => {
    raw.close();
    await service.stop();
  });

  const send = (mail: object, key = secret): request.Test => postEmail(service, key, { ...MAIL, ...mail });
  const list = (headers: Record<string, string>): request.Test => service.request('get', '/api/messages').set(headers);
  const keyWith = async (fields: object): Promise<string> => {
    const body = { name: 'Test', scopes: ['send', 'read_events', 'sms:send'], ...fields };
    return (await account.asAdmin('post', '/api/api-keys').send(body).expect(201)).body.secret as string;
  };
  const ask = async (...[method, path, headers = {}, body]: [string, string, Record<string, string>?, string?]) => {
    const { status, text } = await raw.send({ method, path, headers, body });
    return { status, body: JSON.parse(text) as unknown };
  };
  const login = (password: string, email = 'nobody@example.com') =>
    service.request('post', '/api/auth/login').send({ email, password });

  /** As if Node had given up waiting for the end of the headers. */
  async function tooSlow() {
    const server = service.app.getHttpServer();
    server.once('connection', (socket: Socket) =>
      server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
    );
    const { hostname, port } = new URL(service.url);
    const answer = await text(connect(Number(port), hostname));
    return { status: Number(answer.split(' ')[1]), body: JSON.parse(answer.slice(answer.indexOf('{'))) as unknown };
  }

  async function throttledLogin() {
    const email = 'guessed@example.com';
    for (let n = 0; n < 10; n++) await login('wrong password', email).expect(401);
    return login('wrong password', email);
  }

  async function whileFull(ask: () => Promise<{ status: number; body: unknown }>) {
    const isFull = jest.spyOn(service.app.get(RequestsInFlight, { strict: false }), 'isFull', 'get');
    isFull.mockReturnValue(true);
    try {
      return await ask();
    } finally {
      isFull.mockRestore();
    }
  }

  async function withBrokenMetrics(ask: () => Promise<{ status: number; body: unknown }>) {
    const broken = jest.spyOn(service.app.get(Metrics, { strict: false }), 'text');
    broken.mockRejectedValue(new Error('a detail'));
    try {
      return await ask();
    } finally {
      broken.mockRestore();
    }
  }

  async function outOfTopic() {
    const { id: topicId } = await addTopic(account, { name: 'Offers', byDefault: 'out' });
    return send({ to: OTHER, topicId });
  }

  const REFUSALS: [ErrorCode, ...Refusal][] = [
    ['validation', 400, 'to must be an email address', () => send({ to: 'nobody' })],
    ['validation', 400, 'colour is not a known field', () => send({ colour: 'red' })],
    ['validation', 400, 'colour is not a known field', () => list({ 'X-API-Key': secret }).query({ colour: 'red' })],
    ['validation', 400, 'The body is not valid JSON', () => json('{')],
    ['validation', 415, 'unsupported content encoding "x"', () => json('{}', { 'Content-Encoding': 'x' })],
    ['validation', 417, 'The header Expect can only be 100-continue', () => ask('GET', '/docs', { Expect: 'x' })],
    ['unauthenticated', 401, 'Missing session', () => service.request('get', '/api/settings')],
    ['unauthenticated', 401, 'Invalid session', () => service.request('get', '/api/settings', 'x')],
    ['unauthenticated', 401, 'Invalid email or password', () => login('some password')],
    ['forbidden', 403, 'This needs the role admin', () => account.asMember('get', '/api/users')],
    ['forbidden', 403, 'The signature is not valid', () => ask('POST', `/api/provider-events/smtp/${account.id}`)],
    ['not_found', 404, 'Cannot GET /api/nothing', () => ask('GET', '/api/nothing')],
    ['not_found', 404, 'Cannot PUT /api/messages', () => ask('PUT', '/api/messages')],
    ['not_found', 404, 'Cannot GET /docs/nothing', () => ask('GET', '/docs/nothing')],
    ['not_found', 404, 'List not found', () => account.asAdmin('delete', '/api/lists/c000000000000000000000000')],
    ['conflict', 409, 'A list with the name Readers exists already', () => twice('/api/lists', { name: 'Readers' })],
    ['timeout', 408, 'The request was not received in time', tooSlow],
    ['too_large', 413, 'The body is larger than 1 MB', () => login('x'.repeat(1_100_000))],
    ['rate_limited', 429, 'Too many failed logins for this address', throttledLogin],
    ['internal', 500, 'Internal server error', () => withBrokenMetrics(() => ask('GET', '/metrics'))],
    ['overloaded', 503, 'The service is overloaded', () => whileFull(() => ask('GET', '/api/messages'))],
    ['overloaded', 503, 'The service is overloaded', () => whileFull(() => ask('GET', '/openapi.json'))],
    ['missing_api_key', 401, 'Missing API key', () => list({})],
    ['invalid_api_key', 401, 'Invalid API key', () => list({ 'X-API-Key': 'sk_nothing' })],
    ['expired_api_key', 401, 'API key expired', () => afterAWhile({ expiresAt: inSeconds(60) })],
    ['ip_denied', 401, 'API key denied for this client IP', () => withKey({ ipAllowlist: ['192.0.2.1'] })],
    ['missing_scope', 403, 'API key is missing required scope: read_events', () => withKey({ scopes: ['send'] })],
    ['key_daily_limit', 400, 'Daily send limit reached for this API key', () => sendTwiceWith({ dailyLimit: 1 })],
    ['daily_limit', 429, 'Daily send limit reached', overTheCap],
    ['suppressed', 400, `${TO} is suppressed`, () => suppressed({ to: TO })],
    ['suppressed', 400, `${TO} is suppressed`, () => suppressed({ to: OTHER, cc: [TO] })],
    ['opted_out', 400, '+15005550003 has opted out of SMS', optedOut],
    ['no_consent', 400, `${OTHER} has not consented to marketing`, withoutConsent],
    [
      'sender_not_verified',
      400,
      'x@example.net is not verified for sending',
      () => send({ fromEmail: 'x@example.net' }),
    ],
    [
      'template_fault',
      400,
      'html: Unclosed section "a" at 6',
      () => send({ to: OTHER, html: '{{#a}}', variables: {} }),
    ],
    [
      'template_fault',
      400,
      'templateId: template not found',
      () => send({ to: OTHER, templateId: `c${'0'.repeat(24)}` }),
    ],
    [
      'missing_variable',
      400,
      'variables lacks name',
      () => send({ to: OTHER, html: '{{name}}', strictVariables: true }),
    ],
    ['unsubscribed_from_topic', 400, `${OTHER} has unsubscribed from Offers`, outOfTopic],
    ['idempotency_mismatch', 409, 'Idempotency-Key was used for another request within 24 hours', reusedKey],
    ['provider_error', 500, 'Provider error: no SMTP relay is configured', () => newSender('new@example.com')],
  ];

  const json = (body: string, headers: Record<string, string> = {}) =>
    ask('POST', '/api/auth/login', { 'Content-Type': 'application/json', ...headers }, body);
  const inSeconds = (seconds: number) => new Date(service.clock.now().getTime() + seconds * 1_000).toISOString();
  const withKey = async (fields: object) => list({ 'X-API-Key': await keyWith(fields) });
  const newSender = (email: string) => account.asAdmin('post', '/api/senders').send({ email });

  async function twice(path: string, body: object) {
    await account.asAdmin('post', path).send(body).expect(201);
    return account.asAdmin('post', path).send(body);
  }

  async function afterAWhile(fields: object) {
    const key = await keyWith(fields);
    service.clock.advance({ seconds: 61 });
    return list({ 'X-API-Key': key });
  }

  async function sendTwiceWith(fields: object) {
    const key = await keyWith(fields);
    await send({}, key).expect(201);
    return send({}, key);
  }

  async function overTheCap() {
    const full = await service.createAccount({ dailySendCap: 1 });
    await full.verifySender('shop@example.com');
    const key = (await full.createKey()).secret;
    await send({}, key).expect(201);
    return send({}, key);
  }

  async function suppressed(mail: object) {
    await account.asAdmin('post', '/api/suppressions').send({ email: TO });
    return send(mail);
  }

  async function optedOut() {
    const key = await keyWith({ mode: 'test' });
    return service.request('post', '/api/send/sms').set('X-API-Key', key).send({ to: '+15005550003', body: 'Hello' });
  }

  async function withoutConsent() {
    const { body } = await send({ to: OTHER }).expect(201);
    await service.query(`UPDATE message_logs SET status = 'failed', campaign_id = id WHERE id = $1`, [
      body.messageLogId,
    ]);
    await account
      .asAdmin('patch', '/api/settings')
      .send({ consent: { requiredFor: 'campaigns' } })
      .expect(200);
    return account.asAdmin('post', `/api/messages/${body.messageLogId}/resend`);
  }

  async function reusedKey() {
    const sendOnce = (subject: string) => send({ to: OTHER, subject }).set('Idempotency-Key', 'order-1');
    await sendOnce('One').expect(201);
    return sendOnce('Another');
  }

  it.each(REFUSALS)('is %s: %i %s', async (code, status, message, ask) => {
    const { status: answeredWith, body } = await ask();
    expect({ status: answeredWith, body }).toEqual({ status, body: errorBody(status, message, code) });
    expect(errorFault(status, body)).toBeUndefined();
    answered.add(code);
  });

  it('is tested for each code', () => {
    const untested = Object.keys(ERROR_CODES).filter((code) => !answered.has(code));
    expect(untested).toEqual([]);
  });

  it('is in the results of a batch, and is that of the batch if all faults have it', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: TO });
    const mail = { fromEmail: 'shop@example.com', subject: 'Hello', ...MAIL };
    const batch = (mode: string, ...messages: object[]) =>
      service.request('post', '/api/send/batch').set('X-API-Key', secret).send({ mode, messages });
    const [good, bad, other] = [
      { ...mail, to: OTHER },
      { ...mail, to: TO },
      { ...mail, to: OTHER, fromEmail: 'x@example.net' },
    ];
    const { body } = await batch('valid', good, bad, { ...mail, to: 1 }).expect(201);
    expect(body.results.map(({ error }: { error?: unknown }) => error)).toEqual([
      undefined,
      errorBody(400, `${TO} is suppressed`, 'suppressed'),
      errorBody(400, 'to must be an email address', 'validation'),
    ]);
    const all = await batch('all', good, bad, bad).expect(400);
    expect(all.body.code).toBe('suppressed');
    expect((await batch('all', bad, other).expect(400)).body.code).toBe('validation');
  });

  it('of a batch is the same when the request is repeated, also if it was stored without codes', async () => {
    const messages = [OTHER, '+1'].map((to) => ({ to, fromEmail: 'shop@example.com', subject: 'Hi', ...MAIL }));
    const batch = () =>
      service
        .request('post', '/api/send/batch')
        .set({ 'X-API-Key': secret, 'Idempotency-Key': 'batch-1' })
        .send({ mode: 'valid', messages });
    const { body } = await batch().expect(201);
    expect((await batch().expect(201)).body).toEqual(body);
    await service.query(
      `UPDATE idempotency_keys SET results = (SELECT jsonb_agg(r #- '{refusal,code}' ORDER BY n)
         FROM jsonb_array_elements(results) WITH ORDINALITY AS e (r, n))
       WHERE account_id = $1 AND key = 'batch-1'`,
      [account.id],
    );
    expect((await batch().expect(201)).body).toEqual(body);
  });

  it('says where the key goes if it is sent as a token', async () => {
    const misplaced = errorBody(401, 'Missing API key: send it in the X-API-Key header', 'missing_api_key');
    const token = `Bearer ${secret}`;
    await list({ Authorization: token }).expect(401, misplaced);
    await service.request('post', '/api/send/transactional', secret).send({}).expect(401, misplaced);
    await list({ Authorization: token, 'X-API-Key': secret }).expect(200);
    await service.request('get', '/api/settings', secret).expect(401, errorBody(401, 'Invalid session'));
  });

  it.each([
    [
      { to: [TO, OTHER] },
      'to must be one email address: cc and bcc take further recipients, POST /api/send/batch several messages',
    ],
    [{ to: `Ada <${TO}>` }, 'to must be an email address without a name and angle brackets'],
    [
      { fromEmail: 'Shop <shop@example.com>' },
      'fromEmail must be an email address without a name and angle brackets: the name goes into fromName',
    ],
    [{ cc: [`"Ada" <${TO}> `] }, 'cc[0] must be an email address without a name and angle brackets'],
  ])('comes with what to use instead: %j', async (mail, message) => {
    await send(mail).expect(400, errorBody(400, message, 'validation'));
  });
});
