import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { badRequest, errorBody } from '../../support/errors.js';
import { inHours, makeDue, release } from '../../support/schedules.js';
import { ORIGINATION, RECIPIENT, type SmsAccount, SmsFixture } from '../../support/sms-fixture.js';
import { waitFor } from '../../support/wait-for.js';

const OTHER = '+14155550101';
const OPTED_OUT = '+14155550102';
const INVALID = 'to must be a phone number in E.164 format or of 10 digits (US)';
const DAY_HOURS = 24;

const sms = (fields: object = {}) => ({ to: RECIPIENT, body: 'Your code is 4711', ...fields });
const accepted = (index: number) => ({
  ...{ index, messageLogId: expect.any(String) },
  ...{ segments: 1, encoding: 'gsm7' },
});

describe('POST /api/send/sms/batch', () => {
  let fixture: SmsFixture;
  let sender: SmsAccount;

  beforeAll(async () => {
    fixture = await SmsFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.aws.reset();
    sender = await fixture.open({ maxSendRate: 1_000 });
  });

  const post = (messages: unknown, fields: object = {}, { secret } = sender.key) =>
    fixture.service
      .request('post', '/api/send/sms/batch')
      .set('X-API-Key', secret)
      .send({ messages, ...fields });
  const stored = async () => {
    const rows = await fixture.service.query<{ recipient: string }>(
      'SELECT recipient FROM message_logs WHERE account_id = $1 ORDER BY id',
      [sender.account.id],
    );
    return rows.map(({ recipient }) => recipient);
  };
  const optOut = (phone: string) => sender.account.asAdmin('post', '/api/suppressions').send({ phone }).expect(201);
  const published = () =>
    fixture.aws
      .published()
      .filter(({ accessKeyId }) => accessKeyId === sender.accessKeyId)
      .map(({ phoneNumber, message }) => [phoneNumber, message]);

  it('stores all messages, in order, with their segments, and submits them', async () => {
    const long = 'ж'.repeat(71);
    const { body, headers } = await post([sms({ to: '(415) 555-0100' }), sms({ to: OTHER, body: long })]).expect(201);
    expect(body).toEqual({
      queued: 2,
      results: [accepted(0), { index: 1, messageLogId: expect.any(String), segments: 2, encoding: 'ucs2' }],
    });
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '998' });
    expect(await stored()).toEqual([RECIPIENT, OTHER]);
    const [first, second] = body.results as { messageLogId: string }[];
    await fixture.reaches(sender.key, first!.messageLogId, 'sent', 1);
    const message = await fixture.reaches(sender.key, second!.messageLogId, 'sent', 1);
    expect(message).toMatchObject({ channel: 'sms', to: OTHER, from: ORIGINATION, segments: 2, encoding: 'ucs2' });
    expect(published().sort()).toEqual([
      [RECIPIENT, 'Your code is 4711'],
      [OTHER, long],
    ]);
  });

  it('stores nothing in mode all if there is a fault, and names each', async () => {
    await optOut(OPTED_OUT);
    const cases: [unknown[], string][] = [
      [[sms(), sms({ to: 'nobody' })], `messages[1].${INVALID}`],
      [[sms({ body: '' }), sms({ to: 1 })], 'messages[0].body must not be empty; messages[1].to must be a string'],
      [[sms({ from: OTHER })], 'messages[0].from is not a known field'],
      [[sms(), sms({ to: OPTED_OUT })], `messages[1]: ${OPTED_OUT} has opted out of SMS`],
      [[sms({ body: 'ж'.repeat(671) })], 'messages[0].body is too long: it takes 11 segments, at most 10 are sent'],
      [[sms({ scheduledAt: inHours(-1) })], 'messages[0].scheduledAt is in the past'],
      [[sms(), 'x'], 'messages[1] must be an object'],
      [[], 'messages must have 1 to 500 entries'],
      [Array.from({ length: 501 }, () => sms()), 'messages must have 1 to 500 entries'],
    ];
    for (const [messages, message] of cases) await post(messages).expect(400, badRequest(message));
    expect(await stored()).toEqual([]);
  });

  it('accepts what is good in mode valid', async () => {
    await optOut(OPTED_OUT);
    const messages = [sms(), sms({ to: OPTED_OUT }), sms({ to: '72727' }), sms({ to: OTHER })];
    const { body } = await post(messages, { mode: 'valid' }).expect(201);
    expect(body).toEqual({
      queued: 2,
      results: [
        accepted(0),
        { index: 1, error: badRequest(`${OPTED_OUT} has opted out of SMS`) },
        { index: 2, error: badRequest('to is a short code: SMS go to phone numbers only') },
        accepted(3),
      ],
    });
    expect(await stored()).toEqual([RECIPIENT, OTHER]);
    const { body: none } = await post(messages.slice(1, 3), { mode: 'valid' }).expect(400);
    expect(none).toEqual(badRequest(`messages[0]: ${OPTED_OUT} has opted out of SMS`));
  });

  it('keeps the caps of the account and the key', async () => {
    await sender.account.asAdmin('patch', '/api/settings').send({ dailySendCap: 4 }).expect(200);
    const limited = await sender.account.createKey({ dailyLimit: 2 });
    const overLimit = badRequest('Daily send limit reached for this API key');
    const overCap = errorBody(429, 'Daily send limit reached');
    const three = [sms(), sms(), sms()];
    await post(three, {}, limited).expect(400, overLimit);
    const { body } = await post(three, { mode: 'valid' }, limited).expect(201);
    expect(body).toEqual({ queued: 2, results: [accepted(0), accepted(1), { index: 2, error: overLimit }] });
    await post(three).expect(429, overCap);
    const { body: rest } = await post(three, { mode: 'valid' }).expect(201);
    expect(rest).toEqual({ queued: 2, results: [accepted(0), accepted(1), { index: 2, error: overCap }] });
    await post([sms()], { mode: 'valid' }).expect(429, overCap);
    expect(await stored()).toHaveLength(4);
  });

  it('refuses an account without SMS, and in the sandbox a number that is not verified', async () => {
    const disabled = await fixture.open({ enabled: false });
    await post([sms()], {}, disabled.key).expect(400, badRequest('messages[0]: SMS is not enabled for this account'));
    const inAws = fixture.aws.account(sender.accessKeyId).sms;
    inAws.sandbox = true;
    inAws.sandboxNumbers.set(OTHER, 'Verified');
    const messages = [sms(), sms({ to: OTHER })];
    const refusal = `${RECIPIENT} is not verified, and the AWS account is in the SMS sandbox`;
    await post(messages).expect(400, badRequest(`messages[0]: ${refusal}`));
    const { body } = await post(messages, { mode: 'valid' }).expect(201);
    expect(body).toEqual({ queued: 1, results: [{ index: 0, error: badRequest(refusal) }, accepted(1)] });
    expect(fixture.aws.requests('GetSMSSandboxAccountStatus')).toBe(1);
  });

  it('gives a repeated request with an Idempotency-Key the first response', async () => {
    const repeat = (messages: object[]) => post(messages, { mode: 'valid' }).set('Idempotency-Key', 'one');
    const messages = [sms(), sms({ to: '72727' }), sms({ to: OTHER })];
    const first = await repeat(messages).expect(201);
    const again = await repeat(messages).expect(201, first.body);
    expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(await stored()).toEqual([RECIPIENT, OTHER]);
    const { body } = await repeat(messages.slice(1)).expect(409);
    expect(body.message).toBe('Idempotency-Key was used for another request within 24 hours');
  });

  it('requires a valid key with the scope', async () => {
    const key = await sender.account.createKey({ scopes: ['send', 'read_events'] });
    await post([sms()], {}, key).expect(403, errorBody(403, 'API key is missing required scope: sms:send'));
    await post([sms()], {}, { id: '', secret: 'sk_unknown' }).expect(401, errorBody(401, 'Invalid API key'));
  });

  it('takes bodies of up to 5 MB', async () => {
    const padded = (bytes: number) => `${JSON.stringify({ messages: [sms()] })}${' '.repeat(bytes)}`;
    const send = (body: string) =>
      fixture.service
        .request('post', '/api/send/sms/batch')
        .set({ 'X-API-Key': sender.key.secret, 'Content-Type': 'application/json' })
        .send(body);
    await send(padded(4_000_000)).expect(201);
    const { body } = await send(padded(5_242_880)).expect(413);
    expect(body.message).toBe('The body is larger than 5 MB');
  });

  describe('scheduledAt of an SMS', () => {
    const makeThemDue = (ids: string[]) => makeDue(fixture.service, ids);

    it('keeps it queued until its time, and submits it then', async () => {
      const at = inHours(3);
      const id = await fixture.send(sender.key, { scheduledAt: at });
      const { body } = await post([sms({ to: OTHER, scheduledAt: at })]).expect(201);
      const [{ messageLogId: inBatch }] = body.results as [{ messageLogId: string }];
      for (const message of [id, inBatch])
        expect(await fixture.read(sender.key, message)).toMatchObject({
          ...{ status: 'queued', scheduledAt: at, events: [] },
        });
      expect(await release(fixture.service)).toBe(0);
      await makeThemDue([id, inBatch]);
      expect(await release(fixture.service)).toBe(2);
      await fixture.reaches(sender.key, id, 'sent', 1);
      await fixture.reaches(sender.key, inBatch, 'sent', 1);
      expect(published().sort()).toEqual([RECIPIENT, OTHER].map((to) => [to, 'Your code is 4711']));
    });

    it('means at once if it has just passed', async () => {
      const id = await fixture.send(sender.key, { scheduledAt: inHours(-4.9 / 60) });
      expect(await fixture.reaches(sender.key, id, 'sent', 1)).toMatchObject({ scheduledAt: null });
    });

    it.each([
      [inHours(-5.1 / 60), 'scheduledAt is in the past'],
      [inHours(90 * DAY_HOURS + 0.1), 'scheduledAt is more than 90 days ahead'],
      ['2030-01-01T09:00:00', 'scheduledAt must be an ISO 8601 date-time with an offset'],
      [1_800_000_000, 'scheduledAt must be an ISO 8601 date-time with an offset'],
    ])('is refused as %j', async (scheduledAt, message) => {
      await fixture.post(sender.key, { scheduledAt }).expect(400, badRequest(message));
    });

    it('sends nothing to a number that has opted out meanwhile', async () => {
      const id = await fixture.send(sender.key, { scheduledAt: inHours(1) });
      await optOut(RECIPIENT);
      await makeThemDue([id]);
      await release(fixture.service);
      await waitFor('suppressed', async () => (await fixture.read(sender.key, id)).status === 'suppressed');
      expect(published()).toEqual([]);
    });

    it('can be moved and canceled', async () => {
      const asKey = (method: 'post' | 'patch', path: string) =>
        fixture.service.request(method, `/api/messages/${path}`).set('X-API-Key', sender.key.secret);
      const id = await fixture.send(sender.key, { scheduledAt: inHours(1) });
      const at = inHours(2);
      const { body: moved } = await asKey('patch', id).send({ scheduledAt: at }).expect(200);
      expect(moved).toMatchObject({ channel: 'sms', status: 'queued', scheduledAt: at });
      const { body: canceled } = await asKey('post', `${id}/cancel`).expect(200);
      expect(canceled).toMatchObject({ channel: 'sms', status: 'canceled' });
      await makeThemDue([id]);
      expect(await release(fixture.service)).toBe(0);
      expect(published()).toEqual([]);
    });
  });
});
