import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const COPIES = {
  cc: Array.from({ length: 20 }, (_, i) => `cc${i}@example.org`),
  bcc: Array.from({ length: 20 }, (_, i) => `bcc${i}@example.org`),
};
const GROUP = 41;

describe('The caps of a message with copies', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', MAX_ATTACHMENTS_MB: '2' });
  });
  afterAll(() => service.stop());

  async function accountWithCap(dailySendCap: number): Promise<TestAccount> {
    const account = await service.createAccount({ dailySendCap });
    await account.verifySender('shop@example.com');
    return account;
  }
  const send = (key: TestKey, mail: object) => postEmail(service, key.secret, { text: 'Hello', ...mail });
  const count = async (table: string, { id }: TestAccount) => {
    const [row] = await service.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM ${table} WHERE account_id = $1`,
      [id],
    );
    return row?.n;
  };
  const used = async ({ id }: TestAccount) =>
    (await service.query<{ used: number }>('SELECT used FROM daily_usage WHERE subject_id = $1', [id]))[0]?.used;

  it('has room for a group of 41 up to the last message, and not beyond', async () => {
    const account = await accountWithCap(GROUP + 1);
    const key = await account.createKey();
    await send(key, {}).expect(201);
    await send(key, {}).expect(201);
    await send(key, COPIES).expect(429, errorBody(429, 'Daily send limit reached'));
    expect(await used(account)).toBe(2);
    await account
      .asAdmin('patch', '/api/settings')
      .send({ dailySendCap: GROUP + 2 })
      .expect(200);
    const { headers, body } = await send(key, COPIES).expect(201);
    expect(headers['x-ratelimit-remaining']).toBe('0');
    expect(body.copies).toHaveLength(GROUP - 1);
    expect(await count('message_logs', account)).toBe(GROUP + 2);
    expect(await count('pending_deliveries', account)).toBe(GROUP + 2);
    expect(await used(account)).toBe(GROUP + 2);
  });

  it('accepts as many concurrent groups as the key has room for, each as a whole', async () => {
    const account = await accountWithCap(10_000);
    const key = await account.createKey({ dailyLimit: 3 * GROUP + 5 });
    const sends = await Promise.all([
      ...Array.from({ length: 8 }, () => send(key, COPIES)),
      ...Array.from({ length: 10 }, () => send(key, {})),
    ]);
    const accepted = sends.filter(({ status }) => status === 201);
    for (const { status, body } of sends)
      if (status !== 201) expect(body).toEqual(badRequest('Daily send limit reached for this API key'));
    const expected = accepted.reduce((sum, { body }) => sum + 1 + Number(body.copies?.length ?? 0), 0);
    expect(await count('message_logs', account)).toBe(expected);
    expect(await used(account)).toBe(expected);
    expect(expected).toBeLessThanOrEqual(3 * GROUP + 5);
    // What a refused group did not use is left for others.
    const left = 3 * GROUP + 5 - expected;
    for (let i = 0; i < left; i++) await send(key, {}).expect(201);
    await send(key, {}).expect(400);
  });

  it.each([100_000, 1_500_000])('stores no bytes of a refused message with %i bytes', async (length) => {
    const account = await accountWithCap(1);
    const key = await account.createKey();
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(length, 1).toString('base64') }];
    await send(key, { attachments, cc: ['ada2@example.org'] }).expect(429);
    expect(await count('message_attachments', account)).toBe(0);
    await send(key, { attachments }).expect(201);
    expect(await count('message_attachments', account)).toBe(Math.ceil(length / (57 * 4_600)));
  });
});
