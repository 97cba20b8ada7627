import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { tryLock } from '../../packages/embedded-postgres/src/index.js';

/** The preferred port, or any free one if it is taken, possibly by a demo that starts at the same time. */
export async function freePort(preferred: number): Promise<number> {
  const lock = await tryLock(`demo-port-${preferred}`);
  return (lock ? await tryPort(preferred) : undefined) ?? (await tryPort(0)) ?? preferred;
}

/** The port that the user asked for, or an error if it is taken. */
export async function thisPort(port: number): Promise<number> {
  const free = await tryPort(port);
  if (free === undefined) throw new Error(`PORT: ${port} is taken`);
  return free;
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
