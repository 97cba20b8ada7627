import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { Redis } from 'ioredis';

import { waitFor } from './wait-for.js';

/** Tests on Redis are skipped on a machine without it, but never in CI. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0 || process.env.CI === 'true';

export interface TestRedis {
  url: string;
  client: Redis;
  stop(): Promise<void>;
}

/** A separate Redis without persistence. */
export async function startRedis(wantedPort?: number): Promise<TestRedis> {
  const port = wantedPort ?? (await freePort());
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  const client = new Redis({ port, lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => 50 });
  client.on('error', () => undefined); // it is not up yet
  await waitFor('Redis', () =>
    client.ping().then(
      () => true,
      () => false,
    ),
  );
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    stop: async () => {
      client.disconnect();
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
