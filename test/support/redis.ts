import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

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

/**
 * A port nobody listens on, below those that the system hands out (from 32,768 on Linux): a connection or a server
 * without a port of its own could otherwise get it before it is used.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  return port;
}
