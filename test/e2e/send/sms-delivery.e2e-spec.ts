import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { JobQueue } from '../../../src/shared/ports/job-queue.js';
import type { FakeAws } from '../../support/fake-aws/fake-aws.js';
import { ORIGINATION, RECIPIENT, type SmsAccount, SmsFixture } from '../../support/sms-fixture.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const OTHER_NUMBER = '+12065550177';
const THROTTLED = { status: 429, error: 'Throttled', message: 'Rate exceeded' };

describe('Delivery of SMS through SNS', () => {
  let relay: SmtpSink;
  let fixture: SmsFixture;
  let aws: FakeAws;
  let sms: SmsAccount;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await SmsFixture.start({ SMTP_URL: relay.url });
    ({ aws } = fixture);
  });
  afterAll(async () => {
    await fixture.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    aws.reset();
    relay.reset();
    sms = await fixture.open();
  });

  const send = (body: object = {}) => fixture.send(sms.key, body);
  const reaches = (id: string, status: string, eventCount: number) => fixture.reaches(sms.key, id, status, eventCount);
  const settings = async () => (await sms.account.asAdmin('get', '/api/settings').expect(200)).body;
  const change = (body: object) => sms.account.asAdmin('patch', '/api/settings').send(body).expect(200);
  const refusePublish = (answer: Awaited<ReturnType<FakeAws['answer']>>) => {
    aws.answer = ({ operation }) => (operation === 'Publish' ? answer : undefined);
  };

  it('submits the text with the origination number, as a transactional message', async () => {
    const text = 'Your code is 4711 – não partilhe & <tell> nobody 🎉';
    const id = await send({ body: text });
    const message = await reaches(id, 'sent', 1);
    expect(aws.published()).toEqual([
      {
        messageId: message.providerMessageId,
        accessKeyId: sms.accessKeyId,
        region: 'us-east-1',
        phoneNumber: RECIPIENT,
        message: text,
        attributes: { 'AWS.SNS.SMS.SMSType': 'Transactional', 'AWS.MM.SMS.OriginationNumber': ORIGINATION },
        receivedAt: expect.any(Number),
      },
    ]);
    expect(message).toMatchObject({ provider: 'sns', error: null, sentAt: expect.any(String), encoding: 'ucs2' });
    expect(message.events).toMatchObject([
      { type: 'sent', data: { attempt: 1, smtpResponse: `SNS accepted it as ${message.providerMessageId}` } },
    ]);
    expect(relay.received()).toEqual([]);
  });

  it('submits the sender id if one is set', async () => {
    sms = await fixture.open({ senderId: 'Shop' });
    await reaches(await send(), 'sent', 1);
    expect(aws.published()[0]?.attributes).toMatchObject({ 'AWS.SNS.SMS.SenderID': 'Shop' });
  });

  it('sends nothing to a number that has opted out meanwhile', async () => {
    refusePublish({ status: 500, error: 'InternalError', message: 'Oops' });
    const id = await send();
    await reaches(id, 'queued', 1);
    await sms.account.asAdmin('post', '/api/suppressions').send({ phone: RECIPIENT }).expect(201);
    aws.answer = () => undefined;
    const asked = aws.requests('Publish');
    await fixture.sweepAfter(120);
    expect(await reaches(id, 'suppressed', 1)).toMatchObject({ error: `${RECIPIENT} has opted out of SMS` });
    expect(aws.requests('Publish')).toBe(asked);
  });

  it('is resumed by the sweep if the job was lost', async () => {
    const queue = fixture.service.app.get(JobQueue, { strict: false });
    const lost = jest.spyOn(queue, 'enqueue').mockResolvedValueOnce();
    const id = await send();
    await waitFor('the lost job', () => lost.mock.calls.length > 0);
    expect(await fixture.read(sms.key, id)).toMatchObject({ status: 'queued' });
    await fixture.sweepAfter(61);
    await reaches(id, 'sent', 1);
    lost.mockRestore();
  });

  it('is taken over from a killed worker, which the timeline shows', async () => {
    refusePublish(THROTTLED);
    const id = await send();
    await reaches(id, 'queued', 1);
    aws.answer = () => undefined;
    await fixture.service.query(LEASE_OF_A_DEAD_WORKER, [id]);
    expect(await fixture.read(sms.key, id)).toMatchObject({ status: 'sending' });
    await fixture.sweepAfter(31);
    const { events } = await reaches(id, 'sent', 3);
    expect(events[1]).toMatchObject({ type: 'delayed', data: { reason: 'worker_lost', attempt: 1 } });
    expect(aws.published()).toHaveLength(1);
  });

  it.each([
    ['InvalidParameter', 400, 'InvalidParameterException'],
    ['ParameterValueInvalid', 400, 'InvalidParameterValueException'],
    ['ValidationException', 400, 'ValidationException'],
    ['AuthorizationError', 403, 'AuthorizationErrorException'],
  ])('fails permanently after %s', async (error, status, name) => {
    refusePublish({ status, error, message: 'No' });
    expect((await reaches(await send(), 'failed', 1)).error).toBe(`${name}: No`);
    expect(await settings()).toMatchObject({ sms: { delivery: { state: 'active' } } });
  });

  it('is sent from the number that is set now if SNS no longer takes the one of the message', async () => {
    refusePublish({ status: 500, error: 'InternalError', message: 'Oops' });
    const id = await send();
    await reaches(id, 'queued', 1);
    await change({ sms: { originationNumber: OTHER_NUMBER } });
    aws.answer = ({ operation, parameters }) =>
      operation === 'Publish' && Object.values(parameters).includes(ORIGINATION)
        ? { status: 400, error: 'InvalidParameter', message: 'Invalid parameter: AWS.MM.SMS.OriginationNumber' }
        : undefined;
    await fixture.sweepAfter(120);
    await reaches(id, 'sent', 2);
    expect(aws.published()[0]?.attributes).toMatchObject({ 'AWS.MM.SMS.OriginationNumber': OTHER_NUMBER });
  });

  it.each([
    ['InvalidClientTokenId', 403],
    ['ExpiredToken', 403],
    ['SignatureDoesNotMatch', 403],
  ])('pauses the SMS of the account after %s, but not its e-mail', async (error, status) => {
    refusePublish({ status, error, message: 'No' });
    const first = await send();
    await reaches(first, 'queued', 1);
    expect(await settings()).toMatchObject({
      delivery: { state: 'active' },
      sms: { delivery: { state: 'paused', reason: expect.stringContaining(': No') } },
    });
    await reaches(await sendEmail(), 'sent', 1);
    const asked = aws.requests('Publish');
    const second = await send();
    await waitFor('the second message to be postponed', async () => {
      const [row] = await fixture.service.query(
        'SELECT FROM pending_deliveries WHERE message_id = $1 AND next_attempt_at > $2',
        [second, fixture.service.clock.now()],
      );
      return row;
    });
    expect(aws.requests('Publish')).toBe(asked);
    aws.answer = () => undefined;
    await fixture.sweepAfter(301);
    await reaches(first, 'sent', 2);
    await reaches(second, 'sent', 1);
  });

  it('continues at once when the credentials are fixed', async () => {
    aws.admission.keyState = (id) => (id === sms.accessKeyId ? 'unknown' : 'valid');
    await reaches(await send(), 'queued', 1);
    expect((await settings()).sms.delivery).toMatchObject({ state: 'paused' });
    fixture.service.clock.advance({ seconds: 1 });
    await change({ ses: { accessKeyId: 'AKIAMENDED', secretAccessKey: 'another secret' } });
    expect((await settings()).sms.delivery).toMatchObject({ state: 'active' });
    await fixture.knows(sms.account, (provider) => JSON.stringify(provider).includes('AKIAMENDED'));
    await reaches(await send(), 'sent', 1);
    expect(aws.published()).toMatchObject([{ accessKeyId: 'AKIAMENDED' }]);
  });

  it('waits while SMS is disabled', async () => {
    refusePublish(THROTTLED);
    const id = await send();
    await reaches(id, 'queued', 1);
    aws.answer = () => undefined;
    await change({ sms: { enabled: false } });
    await fixture.knows(sms.account, (provider) => provider === null);
    await fixture.sweepAfter(31);
    expect(await reaches(id, 'queued', 2)).toMatchObject({ error: 'SMS is not enabled' });
    await change({ sms: { enabled: true } });
    await fixture.knows(sms.account, (provider) => provider !== null);
    await fixture.sweepAfter(120);
    await reaches(id, 'sent', 3);
  });

  it('keeps to the rate of the number', async () => {
    sms = await fixture.open({ maxSendRate: 10 });
    const startedAt = performance.now();
    const ids = await Promise.all(Array.from({ length: 20 }, () => send()));
    await waitFor('all', () => aws.published().length === ids.length);
    const times = aws.published().map(({ receivedAt }) => receivedAt);
    expect(times.filter((at, n) => at < startedAt + n * 100)).toEqual([]);
  });

  it('delays neither e-mail nor the SMS of other accounts while SNS hangs', async () => {
    sms = await fixture.open({ maxSendRate: 1_000 });
    let goOn: (answer: undefined) => void = () => undefined;
    const answered = new Promise<undefined>((resolve) => (goOn = resolve));
    const { accessKeyId: hanging } = sms;
    aws.answer = ({ operation, accessKeyId }) =>
      operation === 'Publish' && accessKeyId === hanging ? answered : undefined;
    const ids = await Promise.all(Array.from({ length: 120 }, () => send()));
    await waitFor('the submissions', () => aws.requests('Publish') > 0);
    const other = await fixture.open();
    const [sent, mailed] = [await fixture.send(other.key), await sendEmail()];
    await fixture.reaches(other.key, sent, 'sent', 1);
    await reaches(mailed, 'sent', 1);
    goOn(undefined);
    await waitFor('all', () => aws.published().length === ids.length + 1);
  });

  async function sendEmail(): Promise<string> {
    await sms.account.verifySender('shop@example.com');
    const { body } = await fixture.service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', sms.key.secret)
      .send({ to: 'ada@example.org', fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' })
      .expect(201);
    return body.messageLogId;
  }
});

/** $1 the message. */
const LEASE_OF_A_DEAD_WORKER = `
  UPDATE pending_deliveries SET claim_id = 'dead', attempts = 1, next_attempt_at = '-infinity',
    lease_ends_at = now(), sweep_at = now()
  WHERE message_id = $1`;
