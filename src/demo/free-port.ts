import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** The preferred port if it is free on this machine, else any that is. */
export const freePort = async (preferred: number): Promise<number> =>
  (await tryPort(preferred)) ?? (await tryPort(0)) ?? preferred;

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
