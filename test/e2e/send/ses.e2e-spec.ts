import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { SweepDeliveries } from '../../../src/modules/messages/application/sweep-deliveries.service.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { FakeAws } from '../../support/fake-aws/fake-aws.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';
const SES = { region: 'eu-west-1', accessKeyId: 'AKIASHOP', secretAccessKey: 'a secret of SES' };
const EVENTS = ['DELIVERY', 'BOUNCE', 'OPEN', 'CLICK'];

describe('Delivery through SES', () => {
  let aws: FakeAws;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    aws = await FakeAws.start();
    relay = await SmtpSink.start();
    process.env.AWS_ENDPOINT_URL_SESV2 = aws.url;
    service = await TestService.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await service.stop();
    await aws.stop();
    await relay.stop();
  });
  beforeEach(async () => {
    aws.reset();
    relay.reset();
    ({ account, key } = await openAccount(SES));
  });

  async function openAccount(ses: object): Promise<{ account: TestAccount; key: TestKey }> {
    const opened = await service.createAccount();
    await opened.asAdmin('patch', '/api/settings').send({ emailProvider: 'ses', ses }).expect(200);
    await opened.verifySender(SENDER);
    return { account: opened, key: await opened.createKey() };
  }

  const send = (secret = key.secret, changes: object = {}) =>
    sendEmail(service, secret, { html: '<p>Thank you</p>', ...changes });
  const read = async (id: string, secret = key.secret) =>
    (await service.request('get', `/api/messages/${id}`).set('X-API-Key', secret).expect(200)).body;
  const reaches = (id: string, status: string, eventCount: number) =>
    waitFor(`${status} with ${eventCount} events`, async () => {
      const message = await read(id);
      return message.status === status && message.events.length === eventCount && message;
    });
  const sweepAfter = async (seconds: number) => {
    service.clock.advance({ seconds });
    await service.app.get(SweepDeliveries, { strict: false }).sweep();
  };
  const provider = () => service.app.get(ProviderDirectory, { strict: false }).find(account.id);
  const deliveryState = async () => (await account.asAdmin('get', '/api/settings').expect(200)).body.delivery;

  it.each(['jürgen@example.org', '用户@bücher.example'])('fails a message to %s: SES has no SMTPUTF8', async (to) => {
    const failed = await reaches(await send(key.secret, { to }), 'failed', 1);
    expect(failed.error).toBe('Amazon SES does not support addresses with non-ASCII characters before the @');
    expect(aws.sent()).toEqual([]);
  });

  it('submits the raw mail to one recipient, with our ids as tags and the configuration set', async () => {
    await account
      .asAdmin('patch', '/api/settings')
      .send({ ses: { configurationSet: 'events' } })
      .expect(200);
    aws.account('AKIASHOP').configurationSets.set('events', []);
    const id = await send(key.secret, { fromName: 'Shop', unsubscribeUrl: 'https://example.com/u/1' });
    const message = await reaches(id, 'sent', 1);
    const [mail] = aws.sent();
    expect(aws.sent()).toHaveLength(1);
    expect(mail).toMatchObject({
      accessKeyId: 'AKIASHOP',
      region: 'eu-west-1',
      from: SENDER,
      to: ['ada@example.org'],
      configurationSetName: 'events',
      tags: { account_id: account.id, message_id: id },
    });
    expect(mail?.raw).toMatch(/^From: Shop <shop@example\.com>\r$/m);
    expect(mail?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(message).toMatchObject({ provider: 'ses', providerMessageId: mail?.messageId, error: null });
    expect(relay.received()).toEqual([]);
  });

  it('never shows the credentials, and stores them encrypted', async () => {
    const { text, body } = await account.asAdmin('get', '/api/settings').expect(200);
    expect(body).toMatchObject({
      emailProvider: 'ses',
      ses: { region: 'eu-west-1', accessKeyId: 'AKIASHOP', secretAccessKeySet: true, configurationSet: null },
      delivery: { state: 'active' },
    });
    const rows = await service.query('SELECT ses FROM accounts');
    expect(text + JSON.stringify(rows)).not.toContain(SES.secretAccessKey);
  });

  it('submits through SMTP after a change back', async () => {
    aws.answer = () => ({ status: 500, error: 'InternalServiceErrorException', message: 'Oops' });
    const id = await send();
    await reaches(id, 'queued', 1);
    await account.asAdmin('patch', '/api/settings').send({ emailProvider: 'smtp' }).expect(200);
    await waitFor('the change of settings', async () => (await provider())?.kind === 'smtp');
    await account.verifySendersAgain();
    await sweepAfter(120);
    expect(await reaches(id, 'sent', 2)).toMatchObject({ provider: 'smtp', providerMessageId: `${id}@example.com` });
    expect(relay.received()).toHaveLength(1);
  });

  it.each([
    [
      'InternalServiceErrorException',
      { status: 500, error: 'InternalServiceErrorException', message: 'Oops' } as const,
    ],
    ['a lost connection', 'drop' as const],
  ])('retries after %s, and notes the unknown outcome on the timeline', async (_, answer) => {
    refuseSends(answer);
    const id = await send();
    const delayed = await reaches(id, 'queued', 1);
    expect(delayed.events[0]).toMatchObject({ type: 'delayed', data: { attempt: 1, outcomeUnknown: true } });
    aws.answer = () => undefined;
    await sweepAfter(120);
    await reaches(id, 'sent', 2);
  });

  it('waits for a slow reply instead of sending twice', async () => {
    aws.latencyMs = 2_000;
    const id = await send();
    await reaches(id, 'sent', 1);
    expect(aws.sent()).toHaveLength(1);
  });

  it('retries after throttling, which does not count as an attempt', async () => {
    refuseSends({ status: 429, error: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' });
    const id = await send();
    for (let times = 1; times <= 11; times++) {
      await reaches(id, 'queued', times);
      if (times < 11) await sweepAfter(31);
    }
    aws.answer = () => undefined;
    await sweepAfter(31);
    const { events } = await reaches(id, 'sent', 12);
    expect(events.at(-1)).toMatchObject({ type: 'sent', data: { attempt: 1 } });
    expect(aws.sent()).toHaveLength(1);
  });

  it.each([
    ['paused', 400, 'SendingPausedException'],
    ['suspended', 400, 'AccountSuspendedException'],
    ['without valid credentials', 403, 'UnrecognizedClientException'],
    ['with expired credentials', 403, 'ExpiredTokenException'],
    ['in the wrong region', 403, 'InvalidSignatureException'],
    ['out of its daily quota', 400, 'LimitExceededException'],
  ])('pauses an account that is %s, and shows the reason in the settings', async (_, status, error) => {
    const message = error === 'LimitExceededException' ? 'Daily message quota exceeded' : 'No';
    refuseSends({ status, error, message });
    const first = await send();
    await reaches(first, 'queued', 1);
    expect(await deliveryState()).toEqual({
      state: 'paused',
      reason: `${error}: ${message}`,
      since: expect.stringMatching(/Z$/),
      until: expect.stringMatching(/Z$/),
    });
    const asked = aws.requests('SendEmail');
    const second = await send();
    await waitFor('the second message to be postponed', async () => {
      const [row] = await service.query(
        'SELECT FROM pending_deliveries WHERE message_id = $1 AND next_attempt_at > $2',
        [second, service.clock.now()],
      );
      return row;
    });
    expect(aws.requests('SendEmail')).toBe(asked);
    aws.answer = () => undefined;
    await sweepAfter(16 * 60);
    await reaches(first, 'sent', 2);
    await reaches(second, 'sent', 1);
    expect(await deliveryState()).toMatchObject({ state: 'active', reason: null });
  });

  it('continues at once when the settings are fixed', async () => {
    aws.admission.keyState = (id) => (id === 'AKIASHOP' ? 'unknown' : 'valid');
    await reaches(await send(), 'queued', 1);
    expect(await deliveryState()).toMatchObject({ state: 'paused' });
    const mended = { accessKeyId: 'AKIAOTHER', secretAccessKey: 'another secret' };
    const { body } = await account.asAdmin('patch', '/api/settings').send({ ses: mended }).expect(200);
    expect(body.delivery).toMatchObject({ state: 'active' });
    await waitFor('the change of settings', async () => {
      const known = await provider();
      return known?.kind === 'ses' && known.access.credentials?.accessKeyId === 'AKIAOTHER';
    });
    await account.verifySendersAgain();
    await reaches(await send(), 'sent', 1);
    expect(aws.sent()).toMatchObject([{ accessKeyId: 'AKIAOTHER' }]);
  });

  it('is not paused again by a worker with the old settings', async () => {
    let refuse: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    aws.answer = async ({ operation }) => {
      if (operation !== 'SendEmail') return undefined;
      await refused;
      return { status: 403, error: 'ExpiredTokenException', message: 'expired' };
    };
    const id = await send();
    await waitFor('the submission', () => aws.requests('SendEmail') === 1);
    service.clock.advance({ seconds: 1 });
    await account
      .asAdmin('patch', '/api/settings')
      .send({ ses: { secretAccessKey: 'renewed' } })
      .expect(200);
    refuse();
    await reaches(id, 'queued', 1);
    expect(await deliveryState()).toMatchObject({ state: 'active' });
  });

  it('removes opens and clicks from the event destinations of SES, unless SES is to track', async () => {
    aws.account('AKIASHOP').configurationSets.set('tracked', [destination(EVENTS)]);
    await account.asAdmin('patch', '/api/settings').send({ tracking: 'native', ses: { configurationSet: 'tracked' } });
    await reaches(await send(), 'sent', 1);
    expect(aws.account('AKIASHOP').configurationSets.get('tracked')).toEqual([destination(['DELIVERY', 'BOUNCE'])]);
    for (const [tracking, types] of [
      ['provider', EVENTS],
      ['native', ['DELIVERY', 'BOUNCE']],
    ] as const) {
      await account.asAdmin('patch', '/api/settings').send({ tracking }).expect(200);
      await waitFor('the change of settings', async () => (await provider())?.tracking === tracking);
      await reaches(await send(), 'sent', 1);
      expect(aws.account('AKIASHOP').configurationSets.get('tracked')).toEqual([destination([...types])]);
    }
  });

  it('does not delay other accounts when one is throttled or refused', async () => {
    aws.answer = ({ operation, accessKeyId }) =>
      operation === 'SendEmail' && accessKeyId === 'AKIASHOP'
        ? { status: 429, error: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' }
        : undefined;
    const other = await openAccount({ ...SES, accessKeyId: 'AKIAQUICK' });
    for (let i = 0; i < 150; i++) await send();
    const id = await send(other.key.secret);
    await waitFor('the other account’s message', async () => (await read(id, other.key.secret)).status === 'sent');
    expect(aws.sent().map(({ accessKeyId }) => accessKeyId)).toEqual(['AKIAQUICK']);
  });

  it('does not delay other accounts when many have a low rate', async () => {
    const slow = await Promise.all(
      Array.from({ length: 40 }, (_, i) => openAccount({ ...SES, accessKeyId: `AKIASLOW${i}` })),
    );
    slow.forEach((_, i) => (aws.account(`AKIASLOW${i}`).maxSendRate = 0.1));
    for (const { key: slowKey } of slow) await Promise.all([1, 2, 3].map(() => send(slowKey.secret)));
    const id = await send();
    await reaches(id, 'sent', 1);
    const waiting = await service.query('SELECT FROM pending_deliveries');
    expect(waiting.length).toBeGreaterThan(40);
  });

  it('gives up if the credentials can no longer be decrypted', async () => {
    await service.query(`UPDATE accounts SET ses = ses || '{"sealedSecretAccessKey": "garbage"}' WHERE id = $1`, [
      account.id,
    ]);
    const delayed = await reaches(await send(), 'queued', 1);
    expect(delayed).toMatchObject({ error: 'Internal error', events: [{ type: 'delayed', data: { attempt: 1 } }] });
  });

  it('limits accounts on one AWS account together', async () => {
    aws.account('AKIASHARED').maxSendRate = 20;
    // Messages of slow accounts of other tests may still go out meanwhile.
    const isShared = ({ accessKeyId }: { accessKeyId: string }) => accessKeyId === 'AKIASHARED';
    const shared: Awaited<ReturnType<typeof openAccount>>[] = [];
    for (let i = 0; i < 2; i++) shared.push(await openAccount({ ...SES, accessKeyId: 'AKIASHARED' }));
    const secrets = Array.from({ length: 30 }, (_, i) => shared[i % 2]?.key.secret);
    const startedAt = performance.now();
    const ids = await Promise.all(secrets.map((secret) => send(secret)));
    await waitFor('all to be sent or refused', async () => {
      const waiting = await service.query(WAITING, [ids]);
      return waiting.length === 0;
    });
    // On a busy machine requests begin late, more of them in a second: SES refuses what is too much.
    await sweepAfter(31);
    await waitFor('all', () => aws.sent().filter(isShared).length === ids.length);
    const times = aws.sent().flatMap((mail) => (isShared(mail) ? mail.receivedAt : []));
    expect(times.filter((at, n) => at < startedAt + (n * 1_000) / 20)).toEqual([]);
  });

  /** $1 messages: those that were neither sent nor refused. */
  const WAITING = `
    SELECT FROM message_logs m WHERE m.id = ANY ($1) AND m.status <> 'sent'
    AND NOT EXISTS (SELECT FROM email_events e WHERE e.message_id = m.id AND e.type = 'delayed')`;

  /** Applies to sends only, so that the sending rate stays cached. */
  function refuseSends(answer: ReturnType<FakeAws['answer']>): void {
    aws.answer = ({ operation }) => (operation === 'SendEmail' ? answer : undefined);
  }
});

const destination = (types: string[]) => ({
  Name: 'sns',
  Enabled: true,
  MatchingEventTypes: types,
  SnsDestination: { TopicArn: 'arn:aws:sns:eu-west-1:123456789012:events' },
});
