import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type request from 'supertest';

import { ReadLimiter } from '../../../src/platform/http/read-limiter.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { listRoutes, type Route } from '../../support/routes.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

/** Shares of the pool of 20 connections. */
const READS_OF_ACCOUNT = 2;
const READS_OF_ALL = 5;

/** Reads of templates wait for a lock, so that they hold their connections as slow searches do. */
describe('The reads of one account', () => {
  let service: TestService;
  let busy: TestAccount;
  let other: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', MAX_REQUESTS_IN_FLIGHT: '1000' });
    busy = await service.createAccount();
    other = await service.createAccount();
    await other.verifySender('shop@example.com');
    key = await other.createKey();
  });
  afterAll(() => service.stop());

  /** Outside of the transaction that holds the lock, which would see the same activity over and over. */
  const readsAtLock = async () => {
    const { rows } = await service.database.pool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%templates%'`,
    );
    return rows[0]!.n;
  };
  /** While templates cannot be read. */
  const whileLocked = (work: () => Promise<void>) =>
    service.hold(async () => {
      await service.query('LOCK TABLE templates IN ACCESS EXCLUSIVE MODE');
      await work();
    });
  const start = (call: request.Test): Promise<request.Response> => call.then((response) => response);
  const readTemplates = (account: TestAccount, count: number) =>
    Array.from({ length: count }, () => start(account.asMember('get', '/api/templates')));

  it('take their share of the connections, and others send and read', async () => {
    const reads: Promise<request.Response>[] = [];
    await whileLocked(async () => {
      reads.push(...readTemplates(busy, 60));
      await waitFor('reads to hold their share', async () => (await readsAtLock()) === READS_OF_ACCOUNT);
      const sent = await Promise.all(
        Array.from({ length: 20 }, () =>
          postEmail(service, key.secret, { text: 'Hello' }).then(({ status }) => status),
        ),
      );
      expect(new Set(sent)).toEqual(new Set([201]));
      await other.asMember('get', '/api/messages').expect(200);
      await other.asMember('get', '/api/suppressions?search=ada').expect(200);
      expect(await readsAtLock()).toBe(READS_OF_ACCOUNT);
    });
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('leave connections for sends with those of all other accounts', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => service.createAccount()));
    const reads: Promise<request.Response>[] = [];
    await whileLocked(async () => {
      reads.push(...accounts.flatMap((account) => readTemplates(account, 10)));
      await waitFor('reads to hold their share', async () => (await readsAtLock()) === READS_OF_ALL);
      await postEmail(service, key.secret, { text: 'Hello' }).expect(201);
      await service
        .request('post', '/api/auth/login')
        .send({ email: 'ada@example.com', password: 'wrong' })
        .expect(401);
      expect(await readsAtLock()).toBe(READS_OF_ALL);
    });
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are not made once their clients have gone', async () => {
    const reads = service.app.get(ReadLimiter, { strict: false });
    const gone: request.Test[] = [];
    const stay: Promise<request.Response>[] = [];
    await whileLocked(async () => {
      stay.push(...readTemplates(busy, READS_OF_ACCOUNT));
      await waitFor('reads to hold their share', async () => (await readsAtLock()) === READS_OF_ACCOUNT);
      const before = reads.waiting;
      for (let i = 0; i < 10; i++) {
        const call = busy.asMember('get', '/api/templates');
        call.end(() => undefined); // it is aborted below
        gone.push(call);
      }
      await waitFor('the reads to wait', () => reads.waiting === before + 10);
      for (const call of gone) call.abort();
      await waitFor('the reads to be forgotten', () => reads.waiting === before);
    });
    await Promise.all(stay);
  });

  it('are all bounded, whatever they read', async () => {
    const routes = listRoutes(service).filter(
      ({ method, access }) => method === 'get' && (access.scope ?? access.role) !== undefined,
    );
    expect(routes.length).toBeGreaterThan(20);
    const { secret } = await busy.createKey();
    const { secret: othersSecret } = await other.createKey();
    const call = (account: TestAccount, keySecret: string, { path, access }: Route) => {
      const url = path.replace(/:\w+/g, 'c000000000000000000000000');
      return access.role ? account.asAdmin('get', url) : service.request('get', url).set('X-API-Key', keySecret);
    };
    const reads: Promise<request.Response>[] = [];
    await whileLocked(async () => {
      reads.push(...readTemplates(busy, 100));
      await waitFor('some reads to be refused', async () => (await call(busy, secret, routes[0]!)).status === 503);
      for (const route of routes) {
        const refused = await call(busy, secret, route);
        expect({ path: route.path, body: refused.body, retryAfter: refused.headers['retry-after'] }).toEqual({
          path: route.path,
          body: errorBody(503, 'The service is overloaded'),
          retryAfter: '1',
        });
        if (route.path.startsWith('/api/templates')) continue;
        expect((await call(other, othersSecret, route)).status).not.toBe(503);
      }
    });
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(READS_OF_ACCOUNT);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});
