import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { tryLock } from '../platform/embedded-postgres/crash-released-lock.js';

/** The preferred port if it is free on this machine and no demo that starts at the same time has chosen it, else any that is. */
export async function freePort(preferred: number): Promise<number> {
  const choice = await tryLock(`demo-port-${preferred}`);
  return (choice ? await tryPort(preferred) : undefined) ?? (await tryPort(0)) ?? preferred;
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
