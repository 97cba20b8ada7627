import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { freePort } from '../support/redis.js';
import { waitFor } from '../support/wait-for.js';

const CONFIG = fileURLToPath(new URL('../../deploy/compose/Caddyfile', import.meta.url));
const withCaddy = spawnSync('caddy', ['version']).status === 0 ? describe : describe.skip;

withCaddy('Caddy as docker-compose.production.yml runs it', () => {
  let service: Server;
  let caddy: ChildProcess;
  let url: string;
  const received: IncomingMessage[] = [];

  beforeAll(async () => {
    service = createServer((request, response) => {
      received.push(request);
      response.writeHead(request.url === '/health/ready' ? 503 : 200).end('the service');
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    url = `http://127.0.0.1:${await freePort()}`;
    const { port } = service.address() as AddressInfo;
    caddy = spawn('caddy', ['run', '--config', CONFIG, '--adapter', 'caddyfile'], {
      // A URL instead of the domain, so that it asks for no certificate.
      env: { PATH: process.env.PATH, HOME: tmpdir(), DOMAIN: url, API: `127.0.0.1:${port}` },
      stdio: 'ignore',
    });
    await waitFor('Caddy', () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    caddy.kill();
    await once(caddy, 'exit');
    service.closeAllConnections();
    service.close();
  });

  it.each(['/metrics', '/METRICS', '/metrics/', '/%6detrics', '/health/ready', '/health/live', '/Health/live/'])(
    'does not pass on %s',
    async (path) => {
      received.length = 0;
      expect((await fetch(url + path)).status).toBe(404);
      expect(received).toEqual([]);
    },
  );

  it('replaces the address that a client claims to have', async () => {
    received.length = 0;
    const response = await fetch(`${url}/api/messages`, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    expect(await response.text()).toBe('the service');
    expect(received.map(({ headers }) => headers['x-forwarded-for'])).toEqual(['127.0.0.1']);
  });

  it('passes requests on to a service that is not ready', async () => {
    expect(await (await fetch(url)).text()).toBe('the service');
  });

  it('lets requests wait for a service that restarts', async () => {
    const { port } = service.address() as AddressInfo;
    const isClosed = once(service, 'close');
    service.close();
    service.closeAllConnections();
    await isClosed;
    let isAnswered = false;
    const response = fetch(url).finally(() => (isAnswered = true));
    // Caddy answers these itself, after it has taken the request before.
    for (let i = 0; i < 20; i++) await fetch(`${url}/metrics`);
    expect(isAnswered).toBe(false);
    service.listen(port, '127.0.0.1');
    expect(await (await response).text()).toBe('the service');
  });
});
