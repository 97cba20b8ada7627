import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../support/account.js';
import { errorBody } from '../support/errors.js';
import { postEmail, sendEmail } from '../support/send-email.js';
import { TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const LIMIT = 20;
/** Up to so many bodies on their way are waited for. */
const MANY = LIMIT / 2;
const IDLE = 2_000;
const AT_A_TIME = 200;

describe('Under overload', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', MAX_REQUESTS_IN_FLIGHT: String(LIMIT) });
    account = await service.createAccount();
    await account.verifySender('shop@example.com');
    key = await account.createKey();
    await send();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  const send = () => sendEmail(service, key.secret, { text: 'Hello' });
  const ready = () => service.request('get', '/health/ready');
  const inFlight = async () =>
    Number(/http_requests_in_flight\{state="open"\} (\d+)/.exec((await service.request('get', '/metrics')).text)![1]);
  /** A connection that has sent this, and what comes over it. */
  const open = async (text: string) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const response = { text: '', isClosed: false };
    socket.on('data', (data) => (response.text += String(data)));
    socket.on('error', () => undefined); // closed by the service, as some are meant to be
    socket.on('close', () => (response.isClosed = true));
    sockets.push(socket);
    await once(socket, 'connect');
    if (text) socket.write(text);
    return response;
  };
  const openMany = async (count: number, text: string) => {
    const opened: Awaited<ReturnType<typeof open>>[] = [];
    while (opened.length < count)
      opened.push(
        ...(await Promise.all(Array.from({ length: Math.min(AT_A_TIME, count - opened.length) }, () => open(text)))),
      );
    return opened;
  };
  const slowBody = (length: number) =>
    `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{"email":`;

  it('refuses requests beyond the limit at once, after reporting that it is not ready, and loses nothing', async () => {
    expect((await ready().expect(200)).body.checks.load).toBe('up');
    const sent: Promise<{ status: number }>[] = [];
    const post = () => sent.push(Promise.resolve(postEmail(service, key.secret, { text: 'Hello' })));
    await service.hold(async () => {
      await service.query('SELECT FROM daily_usage WHERE subject_id = $1 FOR UPDATE', [account.id]);
      while (sent.length < LIMIT - 2) post();
      await waitFor('the sends to be in flight', async () => (await inFlight()) >= LIMIT - 2);
      expect((await ready().expect(503)).body).toMatchObject({
        status: 'down',
        checks: { database: 'up', load: 'down' },
      });
      while (sent.length < LIMIT) post();
      await waitFor('all sends to be in flight', async () => (await inFlight()) >= LIMIT);

      const refused = await postEmail(service, key.secret, { text: 'Hello' }).expect(503);
      expect(refused.body).toEqual(errorBody(503, 'The service is overloaded'));
      expect(refused.headers['retry-after']).toBe('1');
      await service.request('get', '/health/live').expect(200);
    });
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([201]));
    await ready().expect(200);
    const [stored] = await service.query<{ n: string }>('SELECT count(*) AS n FROM message_logs');
    expect(Number(stored!.n)).toBe(1 + LIMIT);
  });

  it('serves other clients despite 2,000 idle connections', async () => {
    const idle = await openMany(IDLE, '');
    await send();
    await ready().expect(200);
    expect(idle.filter(({ isClosed }) => isClosed)).toEqual([]);
  });

  it('serves other clients despite some that never end their headers, and closes those in time', async () => {
    const server = service.app.getHttpServer() as { headersTimeout: number };
    const slow = await openMany(200, 'POST /api/send/transactional HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await send();
    server.headersTimeout = 100;
    await waitFor('all to be closed', () => slow.every(({ isClosed }) => isClosed));
    expect(new Set(slow.map(({ text }) => text.split('\r\n')[0]))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
    server.headersTimeout = 30_000;
  });

  it('serves other clients despite some that never end their bodies, and aborts these if there are many', async () => {
    const slow = await openMany(LIMIT - 5, slowBody(1_000));
    await send();
    const givenUp = () => slow.filter(({ isClosed }) => isClosed);
    await waitFor('so many to be given up that they are no longer many', () => slow.length - givenUp().length <= MANY);
    for (const { text } of givenUp()) {
      expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(text.slice(text.indexOf('{'))).toBe(JSON.stringify(errorBody(408, 'The body took too long')));
    }
    await openMany(5 * LIMIT, slowBody(1_000));
    await waitFor('the service to take sends again', async () => {
      const { status } = await postEmail(service, key.secret, { text: 'Hello' });
      return status === 201;
    });
    await ready().expect(200);
  });
});
