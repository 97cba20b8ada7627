import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('Daily caps', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterEach(() => {
    service.clock.reset();
  });
  afterAll(() => service.stop());

  async function accountWithCap(dailySendCap: number): Promise<TestAccount> {
    const account = await service.createAccount({ dailySendCap });
    await account.verifySender(SENDER);
    return account;
  }
  const send = (key: TestKey, to = 'ada@example.org') => postEmail(service, key.secret, { to, text: 'Thank you' });
  const sendMany = async (key: TestKey, count: number) =>
    Promise.all(Array.from({ length: count }, async (_, i) => (await send(key, `r${i}@example.org`)).status));
  const stored = async (account: TestAccount) =>
    (await service.query('SELECT 1 FROM message_logs WHERE account_id = $1', [account.id])).length;

  it('accepts exactly as many concurrent sends as the key has left', async () => {
    const account = await accountWithCap(1_000);
    const key = await account.createKey({ dailyLimit: 60 });
    await sendMany(key, 10);
    const statuses = await sendMany(key, 200);
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 400)).toHaveLength(150);
    expect(await stored(account)).toBe(60);
    await send(key).expect(400, badRequest('Daily send limit reached for this API key'));
  });

  it('accepts exactly as many concurrent sends of two keys as the account has left', async () => {
    const account = await accountWithCap(50);
    const [first, second] = [await account.createKey(), await account.createKey()];
    const statuses = (await Promise.all([sendMany(first, 100), sendMany(second, 100)])).flat();
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(150);
    expect(await stored(account)).toBe(50);
  });

  it('returns when to retry once the account has nothing left', async () => {
    const account = await accountWithCap(1);
    const key = await account.createKey();
    await send(key).expect(201);
    service.clock.freeze();
    const { headers } = await send(key).expect(429, errorBody(429, 'Daily send limit reached'));
    const midnight = new Date(service.clock.now()).setUTCHours(24, 0, 0, 0);
    expect(headers).toMatchObject({
      'retry-after': String(Math.ceil((midnight - service.clock.now().getTime()) / 1_000)),
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(midnight / 1_000),
    });
  });

  it('reports a reached cap before faults of the body', async () => {
    const account = await accountWithCap(1);
    const key = await account.createKey();
    await send(key).expect(201);
    await service.request('post', '/api/send/transactional').set('X-API-Key', key.secret).send({}).expect(429);
  });

  it('reports a cap that a batch has used up before faults of the body', async () => {
    const account = await accountWithCap(3);
    const key = await account.createKey();
    await send(key).expect(201);
    const message = { to: 'bob@example.org', fromEmail: SENDER, subject: 'Hello', text: 'Thank you' };
    const post = (path: string, body: object) => service.request('post', path).set('X-API-Key', key.secret).send(body);
    await post('/api/send/batch', { messages: [message, message] }).expect(201);
    await post('/api/send/transactional', {}).expect(429);
  });

  it('does not count refused sends', async () => {
    const account = await accountWithCap(2);
    const key = await account.createKey({ dailyLimit: 1 });
    for (let i = 0; i < 5; i++) await send(key, 'not an address').expect(400);
    const { headers } = await send(key).expect(201);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
  });

  it('starts from zero on the next UTC day', async () => {
    const account = await accountWithCap(1);
    const key = await account.createKey();
    await send(key).expect(201);
    await send(key).expect(429);
    service.clock.advance({ days: 1 });
    await send(key).expect(201);
  });

  it('begins to count if there are no counters yet, in whatever way a message is sent', async () => {
    const account = await accountWithCap(10);
    const key = await account.createKey();
    const batch = (mode: string) => {
      const messages = [{ to: 'bob@example.org', fromEmail: SENDER, subject: 'Hello', text: 'Thank you' }];
      const request = service.request('post', '/api/send/batch').set('X-API-Key', key.secret);
      return request.send({ messages, mode });
    };
    const withCopy = { text: 'Thank you', cc: ['eve@example.org'] };
    const sends = [() => send(key), () => postEmail(service, key.secret, withCopy), () => batch('all')];
    for (const post of [...sends, () => batch('valid')]) {
      await post().expect(201);
      await service.query('DELETE FROM daily_usage WHERE subject_id IN ($1, $2)', [account.id, key.id]);
      const { headers } = await post().expect(201);
      expect(Number(headers['x-ratelimit-remaining'])).toBe(post === sends[1] ? 8 : 9);
    }
  });
});
