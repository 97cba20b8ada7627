import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';

import { onConnection } from '../../../src/platform/database/pooled-client.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { postEmail } from '../../support/send-email.js';
import { KEEP_LOCKS, TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

/** One connection is for batches of an account, and one for all accounts whose counters are locked. */
const POOL_SIZE = 8;
const MAX_REQUESTS_IN_FLIGHT = '100';
/** An eighth of them. */
const MAX_WAITING_BATCHES = 12;
const LOCK = 'SELECT used FROM daily_usage WHERE subject_id = $1 FOR UPDATE';
/** Statements for all accounts wait 100 ms at most. */
const LONGER_THAN_SHARED = "interval '150 ms'";
const SENDER = 'shop@example.com';
const PLAIN = { text: 'Thank you' };
const WITH_COPY = { text: 'Thank you', cc: ['grace@example.org'] };
const LARGE = { ...PLAIN, attachments: [{ filename: 'a.txt', content: Buffer.alloc(1_100_000).toString('base64') }] };

/** As a large batch or another process locks them. */
describe('While the counters of an account are locked', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', DATABASE_POOL_SIZE: String(POOL_SIZE), MAX_REQUESTS_IN_FLIGHT });
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
  const lock = (account: TestAccount) => service.query(LOCK, [account.id]);
  const stored = async (account: TestAccount) =>
    (await service.query('SELECT 1 FROM message_logs WHERE account_id = $1', [account.id])).length;
  const used = async (account: TestAccount) => {
    const [row] = await service.query<{ used: number }>('SELECT used FROM daily_usage WHERE subject_id = $1', [
      account.id,
    ]);
    return row?.used;
  };
  /** Outside of the transaction that holds the lock. */
  const waiting = async (longerThan = "interval '0'") => {
    const { rows } = await service.database.pool.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > ${longerThan}`,
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
      expect((await waiting()).length).toBeLessThanOrEqual(1); // none between two turns
      return { sent };
    });
    expect((await own.sent).map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await stored(account)).toBe(1 + 3 * messages);
    await send(key, content).expect(201);
  });

  it('messages of other accounts are accepted while the first ones of a day are being inserted', async () => {
    const [[account, key], [, other]] = [await accountAndKey(), await accountAndKey()];
    await service.query('DELETE FROM daily_usage WHERE subject_id IN ($1, $2)', [account.id, key.id]);
    const day = service.clock.now().toISOString().slice(0, 10);
    const own = await service.hold(async () => {
      await service.query('INSERT INTO daily_usage (subject_id, day, used) VALUES ($1, $2, 0)', [account.id, day]);
      const sent = send(key, PLAIN).then(({ status }) => status);
      await waitFor('its message to wait', async () => (await waiting()).length > 0);
      for (let i = 0; i < 3; i++) await send(other, PLAIN).expect(201);
      return { sent };
    });
    expect(await own.sent).toBe(201);
  });

  const batch = (secret: string, content: object = PLAIN) =>
    service
      .request('post', '/api/send/batch')
      .set('X-API-Key', secret)
      .send({ messages: [{ to: 'ada@example.org', fromEmail: SENDER, subject: 'Hello', ...content }] });

  it('its batches leave the connections to others, and are accepted afterwards unless too many wait', async () => {
    const [[account, key], [, other]] = [await accountAndKey(), await accountAndKey()];
    const refused: Response[] = [];
    const own = await service.hold(async () => {
      await lock(account);
      const sent = Promise.all(
        Array.from({ length: 1 + MAX_WAITING_BATCHES + 1 }, async () => {
          const response = await batch(key.secret);
          if (response.status === 503) refused.push(response);
          return response.status;
        }),
      );
      await waitFor('one batch to be refused', () => refused.length > 0);
      await batch(other.secret).expect(201);
      await send(other, PLAIN).expect(201);
      await send(other, WITH_COPY).expect(201);
      await service.request('get', '/health/ready').expect(200);
      expect((await waiting()).length).toBeLessThanOrEqual(1); // none between two turns
      return { sent };
    });
    const accepted = 1 + MAX_WAITING_BATCHES;
    expect((await own.sent).filter((status) => status === 201)).toHaveLength(accepted);
    expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(['1']);
    expect([await stored(account), await used(account)]).toEqual([1 + accepted, 1 + accepted]);
  });

  it('batches of others are accepted, however many accounts have locked counters', async () => {
    const locked = await Promise.all([1, 2, 3, 4].map(accountAndKey));
    const [, other] = await accountAndKey();
    const own = await service.hold(async () => {
      for (const [account] of locked) await lock(account);
      const sent = Promise.all(locked.map(([, key]) => batch(key.secret)));
      await waitFor('a batch to wait', async () => (await waiting()).length > 0);
      await batch(other.secret).expect(201);
      return { sent };
    });
    expect((await own.sent).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  it.each(['the counters', 'a table'])('what is answered 503 ends and is not stored later: %s', async (what) => {
    const [[account, key], [other, otherKey]] = [await accountAndKey(), await accountAndKey()];
    await service.hold(async () => {
      if (what === 'a table') await service.query('LOCK TABLE message_contents IN SHARE MODE');
      else for (const locked of [account, other]) await lock(locked);
      const sends = [send(key, PLAIN), send(key, LARGE), batch(key.secret), batch(otherKey.secret, WITH_COPY)];
      expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
      await waitFor('the statements to end', async () => (await waiting()).length === 0);
    });
    for (const sender of [account, other]) expect([await stored(sender), await used(sender)]).toEqual([1, 1]);
  });

  it('its message does not keep that of an account waiting whose counters are free again', async () => {
    const [[account, key], [brief, briefKey]] = [await accountAndKey(), await accountAndKey()];
    const own = await onConnection(service.database.pool, async (holder) => {
      await holder.query(`BEGIN; SET LOCAL ${KEEP_LOCKS}`);
      await holder.query(LOCK, [brief.id]);
      return service.hold(async () => {
        await lock(account);
        const sent = Promise.all([send(key, PLAIN), send(briefKey, PLAIN)]);
        await waitFor('one of them to wait alone', async () => (await waiting(LONGER_THAN_SHARED)).length > 0);
        await holder.query('COMMIT');
        await waitFor('the other one to be accepted', async () => (await stored(brief)) === 2);
        return { sent };
      });
    });
    expect((await own.sent).map(({ status }) => status)).toEqual([201, 201]);
  });

  it('its large messages do not delay those of others', async () => {
    const [[account, key], [, other]] = [await accountAndKey(), await accountAndKey()];
    const own = await service.hold(async () => {
      await lock(account);
      const sent = Promise.all([send(key, LARGE), send(key, LARGE)]);
      await waitFor('a message to wait', async () => (await waiting()).length > 0);
      await send(other, LARGE).expect(201);
      expect(await waiting()).toHaveLength(1);
      return { sent };
    });
    expect((await own.sent).map(({ status }) => status)).toEqual([201, 201]);
    expect(await stored(account)).toBe(3);
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
