import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';
const PLAIN = { text: 'Thank you' };
const WITH_COPY = { text: 'Thank you', cc: ['grace@example.org'] };

/** As a large batch or another process locks them. */
describe('While the counters of an account are locked', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());

  async function accountAndKey(): Promise<[TestAccount, TestKey]> {
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    const key = await account.createKey();
    await send(key, PLAIN).expect(201);
    return [account, key];
  }
  const send = (key: TestKey, content: object) => postEmail(service, key.secret, { to: 'ada@example.org', ...content });
  const lock = (account: TestAccount) =>
    service.query('SELECT used FROM daily_usage WHERE subject_id = $1 FOR UPDATE', [account.id]);
  const stored = async (account: TestAccount) =>
    (await service.query('SELECT 1 FROM message_logs WHERE account_id = $1', [account.id])).length;
  /** Outside of the transaction that holds the lock. */
  const waiting = async () => {
    const { rows } = await service.database.pool.query<{ query: string }>(
      "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows;
  };

  it.each([
    ['plain messages', PLAIN, 1],
    ['messages with copies', WITH_COPY, 2],
  ])('%s of other accounts are accepted, and its own afterwards', async (_, content, messages) => {
    const [[account, key], [, other]] = [await accountAndKey(), await accountAndKey()];
    const own = await service.hold(async () => {
      await lock(account);
      const sent = Promise.all([0, 1, 2].map((i) => send(key, { ...content, subject: `No. ${i}` })));
      await waitFor('its message to wait', async () => (await waiting()).length > 0);
      for (let i = 0; i < 3; i++) await send(other, content).expect(201);
      expect(await waiting()).toHaveLength(1);
      return { sent };
    });
    expect((await own.sent).map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await stored(account)).toBe(1 + 3 * messages);
    await send(key, content).expect(201);
  });

  it('its message does not delay those of others that arrive with it', async () => {
    const [[account, key], [, other]] = [await accountAndKey(), await accountAndKey()];
    const own = await service.hold(async () => {
      await lock(account);
      const sent = Promise.all([send(key, PLAIN)]);
      const statuses = await Promise.all(Array.from({ length: 10 }, () => send(other, PLAIN)));
      expect(statuses.map(({ status }) => status)).toEqual(Array(10).fill(201));
      return { sent };
    });
    expect((await own.sent).map(({ status }) => status)).toEqual([201]);
    expect(await stored(account)).toBe(2);
  });
});
