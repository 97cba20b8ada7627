import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type request from 'supertest';

import type { TestAccount, TestKey } from '../../support/account.js';
import { postEmail, sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

/** Changes of one account that wait for a lock each on a connection, of the pool of 20. */
const IN_LINE = 3;
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

describe('The changes of one account, which run one after the other,', () => {
  let service: TestService;
  let busy: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', MAX_REQUESTS_IN_FLIGHT: '1000' });
    busy = await service.createAccount();
    const other = await service.createAccount();
    for (const one of [busy, other]) await one.verifySender('shop@example.com');
    key = await other.createKey();
  });
  afterAll(() => service.stop());

  const atLock = async () => {
    const { rows } = await service.database.pool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]!.n;
  };

  const create = async (path: string, body: object) =>
    (await busy.asAdmin('post', path).send(body).expect(201)).body.id as string;
  const schedule = async () => {
    const { secret } = await busy.createKey();
    return sendEmail(service, secret, { text: 'Hello', scheduledAt: TOMORROW });
  };
  type Change = { method?: 'post' | 'delete'; path: string; body?: object };
  const cases: [string, string, () => Promise<string | Change>, object][] = [
    ['settings', 'accounts', () => Promise.resolve('/api/settings'), { accountName: 'Acme' }],
    [
      'a user',
      'accounts',
      async () =>
        `/api/users/${await create('/api/users', { email: 'ada@example.com', password: 'correct horse', role: 'admin' })}`,
      { role: 'member' },
    ],
    [
      'a template',
      'templates',
      async () => `/api/templates/${await create('/api/templates', { name: 'a', subject: 'b', text: 'c' })}`,
      { name: 'd' },
    ],
    [
      'an endpoint',
      'webhook_endpoints',
      async () =>
        `/api/webhooks/${await create('/api/webhooks', { url: 'https://example.com/', events: ['contact.bounced'] })}`,
      { description: 'd' },
    ],
    ['a list', 'lists', async () => `/api/lists/${await create('/api/lists', { name: 'a' })}`, { name: 'b' }],
    ['a key', 'api_keys', async () => `/api/api-keys/${(await busy.createKey()).id}`, { name: 'b' }],
    [
      'the revocation of a key',
      'api_keys',
      async () => ({ method: 'delete', path: `/api/api-keys/${(await busy.createKey()).id}` }),
      {},
    ],
    [
      'a new endpoint',
      'accounts',
      () => Promise.resolve({ method: 'post', path: '/api/webhooks' }),
      { url: 'https://example.com/', events: ['contact.bounced'] },
    ],
    [
      'the time of a message',
      'pending_deliveries',
      async () => `/api/messages/${await schedule()}`,
      { scheduledAt: TOMORROW },
    ],
    [
      'the cancellation of messages',
      'pending_deliveries',
      async () => ({ method: 'post', path: '/api/messages/cancel', body: { ids: [await schedule()] } }),
      {},
    ],
  ];

  it.each(cases)('use few connections while they wait: %s', async (_, table, prepare, body) => {
    const prepared = await prepare();
    const { method = 'patch', path, body: given = body } = typeof prepared === 'string' ? { path: prepared } : prepared;
    const changes: Promise<request.Response>[] = [];
    await service.hold(async () => {
      const own = table === 'accounts' ? 'id' : 'account_id';
      await service.query(`SELECT FROM ${table} WHERE ${own} = $1 FOR UPDATE`, [busy.id]);
      for (let n = 0; n < 40; n++)
        changes.push(
          busy
            .asAdmin(method, path)
            .send(method === 'delete' ? undefined : given)
            .then((response) => response),
        );
      await waitFor('changes to wait for the lock', async () => (await atLock()) >= IN_LINE);
      for (let n = 0; n < 5; n++) await postEmail(service, key.secret, { text: 'Hello' }).expect(201);
      expect(await atLock()).toBe(IN_LINE);
    });
    expect((await Promise.all(changes)).filter(({ ok }) => !ok).map(({ status, body }) => ({ status, body }))).toEqual(
      [],
    );
  });
});
