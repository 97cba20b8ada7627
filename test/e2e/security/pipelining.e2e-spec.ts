import { readdirSync, readlinkSync } from 'node:fs';
import type { Server } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { RequestsInFlight } from '../../../src/platform/metrics/requests-in-flight.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { pipelined, PipeliningClient } from '../../support/pipelining.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const LIMIT = 40;
const MB = 1_048_576;

describe('A client that sends requests without waiting for responses', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  let inFlight: RequestsInFlight;
  const clients: PipeliningClient[] = [];

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', MAX_REQUESTS_IN_FLIGHT: String(LIMIT) });
    account = await service.createAccount();
    await account.verifySender('shop@example.com');
    key = await account.createKey();
    inFlight = service.app.get(RequestsInFlight, { strict: false });
  });
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
  });
  afterAll(() => service.stop());

  const open = async () => {
    const client = await PipeliningClient.connect(service.url);
    clients.push(client);
    return client;
  };
  const expectUsable = async () => {
    await waitFor('nothing to be in flight', () => inFlight.count === 0);
    await service.request('get', '/health/ready').expect(200);
    await postEmail(service, key.secret, { text: 'Hello' }).expect(201);
    await service.request('get', '/openapi.json').expect(200);
  };

  it('gets its responses in order', async () => {
    const client = await open();
    await client.write(`${pipelined('/api/nope', 25)}${pipelined('/health/live', 25)}`);
    await waitFor('all answers', () => client.statuses.length === 50);
    expect(client.statuses).toEqual([...Array<number>(25).fill(404), ...Array<number>(25).fill(200)]);
    await expectUsable();
  });

  it('has its requests processed one at a time', async () => {
    const client = await open();
    let most = 0;
    const begin = inFlight.begin.bind(inFlight);
    const spy = jest.spyOn(inFlight, 'begin').mockImplementation(() => {
      begin();
      most = Math.max(most, inFlight.count);
    });
    await client.write(pipelined('/health/ready', 20));
    await waitFor('all answers', () => client.statuses.length === 20);
    spy.mockRestore();
    expect(most).toBe(1);
  });

  it('leaves nothing in flight after 30 bursts of 50 requests, each reset', async () => {
    for (let burst = 0; burst < 30; burst++) {
      const client = await open();
      await client.write(pipelined('/api/nope', 50));
      client.socket.resetAndDestroy();
    }
    await expectUsable();
  });

  it.each(['/api/nope', '/docs/swagger-ui-bundle.js', '/openapi.json', '/'])(
    'leaves nothing in flight by 60 kB of GET %s in one write, and is cut off',
    async (path) => {
      const client = await open();
      client.socket.pause();
      const text = pipelined(path, Math.ceil(60_000 / pipelined(path, 1).length));
      await client.write(text).catch(() => undefined);
      client.socket.resume();
      await waitFor('the connection to be closed', () => client.isClosed);
      expect(client.statuses.length).toBeLessThan(100);
      await expectUsable();
    },
  );

  it('gets responses to requests after one with an unknown expectation', async () => {
    const client = await open();
    await client.write(
      `GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n${pipelined('/health/live', 2)}`,
    );
    await waitFor('all answers', () => client.statuses.length === 3);
    expect(client.statuses).toEqual([417, 200, 200]);
    await expectUsable();
  });

  it('holds no memory with responses that it does not read', async () => {
    const before = process.memoryUsage().rss;
    for (let n = 0; n < 4; n++) {
      const client = await open();
      client.socket.pause();
      for (let part = 0; part < 7; part++) await client.write(pipelined('/openapi.json', 50)).catch(() => undefined);
    }
    await service.request('get', '/health/live').expect(200);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MB);
    for (const { socket } of clients.splice(0)) socket.destroy();
    await expectUsable();
  });

  it('holds no file descriptors', async () => {
    for (let n = 0; n < 4; n++) {
      const client = await open();
      client.socket.pause();
      await client.write(pipelined('/docs/swagger-ui-standalone-preset.js', 60)).catch(() => undefined);
    }
    await service.request('get', '/health/live').expect(200);
    expect(openFiles('swagger-ui').length).toBeLessThan(10);
    for (const { socket } of clients.splice(0)) socket.destroy();
    await waitFor('the files to be closed', () => openFiles('swagger-ui').length === 0);
    await expectUsable();
  });

  it('uses no capacity with responses that it does not read, and is disconnected in time', async () => {
    for (let n = 0; n < LIMIT + 10; n++) {
      const client = await open();
      client.socket.pause();
      await client.write(pipelined('/openapi.json', 64));
    }
    await waitFor('a send to be taken', async () => {
      const { status } = await postEmail(service, key.secret, { text: 'Hello' });
      return status === 201;
    });
    await waitFor('most of them to be cut off', async () => (await connections(service)) < LIMIT);
    for (const { socket } of clients.splice(0)) socket.destroy();
    await expectUsable();
  });
});

describe('The description of the API and the static files', () => {
  let service: TestService;
  let inFlight: RequestsInFlight;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', MAX_REQUESTS_IN_FLIGHT: '10' });
    inFlight = service.app.get(RequestsInFlight, { strict: false });
  });
  afterAll(() => service.stop());

  it.each(['/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-init.js', '/openapi.json', '/', '/assets/nothing.js'])(
    'are refused beyond the limit of requests in flight: %s',
    async (path) => {
      for (let n = 0; n < 10; n++) inFlight.begin();
      const refused = await service.request('get', path);
      for (let n = 0; n < 10; n++) inFlight.end();
      expect(refused.status).toBe(503);
      expect(refused.body).toEqual(errorBody(503, 'The service is overloaded'));
      expect(refused.headers['retry-after']).toBe('1');
    },
  );

  it('is serialised once', async () => {
    const first = await service.request('get', '/openapi.json').expect(200);
    const stringify = jest.spyOn(JSON, 'stringify');
    const again = await fetch(`${service.url}/openapi.json`);
    const documents = stringify.mock.calls.filter(([value]) => (value as { openapi?: unknown } | null)?.openapi);
    stringify.mockRestore();
    expect(documents.length).toBe(0);
    expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await again.json()).toEqual(first.body);
  });
});

const connections = (service: TestService): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = service.app.getHttpServer() as Server;
    server.getConnections((error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });

/** Files of this process whose path holds the text. */
function openFiles(text: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // closed since it was listed
    }
  });
  return targets.filter((target) => target.includes(text));
}
