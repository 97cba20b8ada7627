import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ApiError, DeliveryClient, type SendOptions, TimeoutError } from '../../../packages/sdk/src/index.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { type Fault, FaultyProxy } from '../../support/faulty-proxy.js';
import type { TestService } from '../../support/service.js';
import { RECIPIENT, SmsFixture } from '../../support/sms-fixture.js';

const EMAIL = { to: 'ada@example.org', fromEmail: 'shop@example.com', subject: 'Hello', text: 'Hello' };
const SMS = { to: RECIPIENT, body: 'Your code is 4711' };

/** Each send, and the ids of its messages. */
const SENDS: Record<string, (client: DeliveryClient, options?: SendOptions) => Promise<(string | undefined)[]>> = {
  'an e-mail': async (client, options) => [(await client.emails.send(EMAIL, options)).messageLogId],
  'e-mails in a batch': async (client, options) =>
    (await client.emails.sendBatch([EMAIL, EMAIL, EMAIL], options)).results.map(({ messageLogId }) => messageLogId),
  'an SMS': async (client, options) => [(await client.sms.send(SMS, options)).messageLogId],
  'SMS in a batch': async (client, options) =>
    (await client.sms.sendBatch([SMS, SMS], options)).results.map(({ messageLogId }) => messageLogId),
};

/** Longer than any test: the time is up when the test says so. No other timer has it. */
const TIMEOUT_MS = 86_399_000;

describe('the SDK behind a faulty network', () => {
  let fixture: SmsFixture;
  let service: TestService;
  let proxy: FaultyProxy;
  let account: TestAccount;
  let key: TestKey;
  let client: DeliveryClient;
  const timers = jest.spyOn(globalThis, 'setTimeout');

  beforeAll(async () => {
    fixture = await SmsFixture.start({ ROLE: 'api' });
    service = fixture.service;
    proxy = await FaultyProxy.start(service.url);
    proxy.onLate = () => {
      const [callback] = timers.mock.calls.findLast(([, ms]) => ms === TIMEOUT_MS)!;
      callback();
    };
  });
  afterAll(async () => {
    timers.mockRestore();
    await proxy.stop();
    await fixture.stop();
  });
  beforeEach(async () => {
    timers.mockClear();
    ({ account, key } = await fixture.open());
    await account.verifySender(EMAIL.fromEmail);
    client = new DeliveryClient({ apiKey: key.secret, baseUrl: proxy.url, timeoutMs: TIMEOUT_MS });
  });

  const storedIds = async () =>
    (await service.query<{ id: string }>('SELECT id FROM message_logs WHERE account_id = $1', [account.id])).map(
      ({ id }) => id,
    );

  const SCRIPTS: Fault[][] = [
    ['lost'],
    ['cut'],
    ['late'],
    ['refused'],
    ['busy', 'busy'],
    ['repeated'],
    ['bad-gateway'],
    ['lost', 'busy', 'cut'],
  ];

  describe.each(Object.entries(SENDS))('%s', (_what, send) => {
    it.each(SCRIPTS.map((script) => [script.join(', then '), script] as const))(
      'is sent once: %s',
      async (_, script) => {
        proxy.follow(...script);
        const ids = await send(client);
        expect((await storedIds()).sort()).toEqual([...ids].sort());
        const isRetried = script[0] !== 'repeated';
        expect(proxy.keys).toHaveLength(isRetried ? script.length + 1 : 1);
        expect(new Set(proxy.keys).size).toBe(1);
      },
    );

    it('is sent once by a program that gave up and tries again with the same key', async () => {
      proxy.follow('late', 'lost', 'none');
      const error = await send(client, { maxRetries: 0 }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TimeoutError);
      const { idempotencyKey } = error as TimeoutError;
      await send(client, { maxRetries: 0, idempotencyKey }).catch(() => undefined);
      const ids = await send(client, { maxRetries: 0, idempotencyKey });
      expect((await storedIds()).sort()).toEqual([...ids].sort());
    });
  });

  it('sends each of many concurrent e-mails once', async () => {
    const faults: Fault[] = ['lost', 'none', 'cut', 'busy', 'repeated', 'refused', 'none', 'bad-gateway'];
    proxy.follow(...Array.from({ length: 6 }, () => faults).flat());
    const sends = Array.from({ length: 40 }, (_, i) => client.emails.send({ ...EMAIL, to: `r${i}@example.org` }));
    const ids = (await Promise.all(sends)).map(({ messageLogId }) => messageLogId);
    expect((await storedIds()).sort()).toEqual(ids.sort());
  });

  it('does not wait for midnight at the daily limit, and says what is left', async () => {
    const limited = await service.createAccount({ dailySendCap: 1 });
    await limited.verifySender(EMAIL.fromEmail);
    const { secret } = await limited.createKey();
    const capped = new DeliveryClient({ apiKey: secret, baseUrl: proxy.url, timeoutMs: TIMEOUT_MS });
    proxy.follow();
    await capped.emails.send(EMAIL);
    const error = (await capped.emails.send(EMAIL).catch((thrown: unknown) => thrown)) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 429, message: 'Daily send limit reached', attempts: 1 });
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.rateLimit).toMatchObject({ limit: 1, remaining: 0 });
    expect(proxy.statuses).toEqual([201, 429]);
  });

  it('reads every message once, although responses are lost between the pages', async () => {
    proxy.follow();
    const { results } = await client.emails.sendBatch(Array.from({ length: 250 }, () => EMAIL));
    proxy.follow('lost', 'none', 'cut', 'none', 'bad-gateway');
    const read: string[] = [];
    for await (const { id } of client.messages.list()) read.push(id);
    expect(read.sort()).toEqual(results.map(({ messageLogId }) => messageLogId!).sort());
    expect(proxy.keys).toEqual(Array.from({ length: 6 }, () => undefined));
  });

  it('cancels, imports and deletes what it was told to, although the response is lost', async () => {
    proxy.follow('none', 'lost', 'none', 'lost');
    const scheduledAt = new Date(service.clock.now().getTime() + 3_600_000);
    const { messageLogId } = await client.emails.send({ ...EMAIL, scheduledAt });
    expect(await client.messages.cancel(messageLogId)).toMatchObject({ id: messageLogId, status: 'canceled' });
    const contacts = [{ email: 'ada@example.org' }, { email: 'nobody' }];
    expect(await client.contacts.import(contacts)).toMatchObject({ errors: [{ index: 1 }] });
    const { id } = (await client.contacts.page()).items[0]!;
    proxy.follow('lost');
    // The second request finds nothing to delete.
    await expect(client.contacts.delete(id)).rejects.toMatchObject({ status: 404, attempts: 2 });
    expect((await client.contacts.page()).items).toEqual([]);
  });
});
