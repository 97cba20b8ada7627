import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import {
  PasswordHasher,
  PasswordHashingQueue,
} from '../../../src/modules/accounts/application/ports/password-hasher.js';
import { RequestsInFlight } from '../../../src/platform/metrics/requests-in-flight.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { RawClient } from '../../support/raw-request.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const PASSWORD = 'correct horse battery staple';
const LIMIT = 20;
const FLOOD = 600;

describe('A flood of logins', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  let inFlight: RequestsInFlight;
  let hasher: PasswordHasher;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', MAX_REQUESTS_IN_FLIGHT: String(LIMIT) });
    account = await service.createAccount();
    await account.verifySender('shop@example.com');
    key = await account.createKey();
    inFlight = service.app.get(RequestsInFlight, { strict: false });
    hasher = service.app.get(PasswordHasher, { strict: false });
    await account.asAdmin('post', '/api/users').send({ email: 'ada@example.com', password: PASSWORD, role: 'member' });
  });
  afterAll(() => service.stop());

  const login = (email: string, client: string, password = 'a guess') =>
    service
      .request('post', '/api/auth/login')
      .set('X-Forwarded-For', client)
      .send({ email, password })
      .then((answer) => answer);

  /** Clients whose tasks run or wait. */
  const waiting = () =>
    service.app.get<{ hashing: { lanes: Map<string, unknown> } }>(PasswordHashingQueue, { strict: false }).hashing
      .lanes;

  /** Hashing that lasts until the test ends it. */
  const holdHashing = () => {
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const verify = hasher.verify.bind(hasher);
    const spy = jest.spyOn(hasher, 'verify').mockImplementation(async (...args) => {
      await held;
      return verify(...args);
    });
    return { release, calls: () => spy.mock.calls.length };
  };

  it('takes no capacity from other routes, and is refused beyond a short queue', async () => {
    const hashing = holdHashing();
    const flood: Promise<{ status: number; body: unknown; headers: Record<string, string> }>[] = [];
    let answered = 0;
    const client = new RawClient(service.url);
    const body = (n: number) => JSON.stringify({ email: `nobody-${n}@example.com`, password: 'a guess' });
    for (let n = 0; n < 60; n++) {
      const answer = login(`nobody-${n}@example.com`, '192.0.2.1');
      void answer.then(() => (answered += 1));
      flood.push(answer);
    }
    await waitFor('the queue to be full', () => answered > 0);
    for (let n = 60; n < FLOOD; n++) {
      const { status } = await client.send({
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.1' },
        body: body(n),
      });
      expect(status).toBe(503);
      if (n % 50 === 0) await postEmail(service, key.secret, { text: 'Hello' }).expect(201);
    }
    expect(hashing.calls()).toBeLessThanOrEqual(2);
    expect(inFlight.count).toBeLessThanOrEqual(2);
    await service.request('get', '/health/ready').expect(200);
    hashing.release();
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 401).length + refused.length).toBe(60);
    for (const { body: error, headers } of refused) {
      expect(error).toEqual(errorBody(503, 'Too many logins at once'));
      expect(headers['retry-after']).toBe('1');
    }
    client.close();
    jest.restoreAllMocks();
    await waitFor('nothing to be in flight', () => inFlight.count === 0);
  });

  it('delays and refuses the client that it comes from, not the others', async () => {
    const hashing = holdHashing();
    const flood = Array.from({ length: 70 }, (_, n) => login(`nobody-${n}@example.com`, '192.0.2.2'));
    await waitFor('the hash of the first', () => hashing.calls() > 0);
    await Promise.any(flood); // refused: the queue is full
    const other = login('ada@example.com', '192.0.2.3', PASSWORD);
    await waitFor('the place of the other', () => waiting().has('192.0.2.3'));
    hashing.release();
    expect((await other).status).toBe(200);
    await Promise.all(flood);
    jest.restoreAllMocks();
  });

  it('counts as one client if it comes from many addresses of one IPv6 network', async () => {
    const hashing = holdHashing();
    const flood = Array.from({ length: 60 }, (_, n) => login(`nobody-${n}@example.com`, `2001:db8:1:4::${n + 1}`));
    await waitFor('the hash of the first', () => hashing.calls() > 0);
    await Promise.any(flood); // refused: the queue is full
    const other = login('ada@example.com', '192.0.2.9', PASSWORD);
    await waitFor('the place of the other', () => waiting().has('192.0.2.9'));
    expect([...waiting().keys()]).toEqual(['2001:db8:1:4::/64', '192.0.2.9']);
    hashing.release();
    expect((await other).status).toBe(200);
    await Promise.all(flood);
    jest.restoreAllMocks();
  });

  it('is refused after 200 failures of one client, or of one IPv6 network, in 15 minutes', async () => {
    for (const [client, sameClient, other] of [
      ['192.0.2.4', '192.0.2.4', '192.0.2.5'],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
    ] as const) {
      await login('nobody@example.com', client);
      const counted = await service.query(
        'UPDATE login_client_throttles SET failures = 200 WHERE subject = $1 RETURNING 1',
        [client.includes(':') ? '2001:db8:1:2::/64' : client],
      );
      expect(counted).not.toEqual([]);
      const refused = await login('ada@example.com', sameClient, PASSWORD);
      expect(refused.body).toEqual(errorBody(429, 'Too many failed logins from this client'));
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await login('ada@example.com', other, PASSWORD)).status).toBe(200);
    }
  });

  it('counts no login that succeeds', async () => {
    for (let n = 0; n < 3; n++) expect((await login('ada@example.com', '192.0.2.6', PASSWORD)).status).toBe(200);
    expect(await service.query(`SELECT failures FROM login_client_throttles WHERE subject = '192.0.2.6'`)).toEqual([
      { failures: 0 },
    ]);
  });
});
