import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * Finds the processes that own the sockets with these local ports, in order; undefined if none of them does. Call it
 * for many ports at once: where other programs leave thousands of closed connections, the table is large.
 */
export async function findSocketOwners(
  ports: readonly number[],
  pids: readonly number[],
): Promise<(number | undefined)[]> {
  const inodes = findInodes(await readFile('/proc/net/tcp', 'utf8'));
  const owners = new Map<string, number>();
  for (const pid of pids) for (const target of await readTargets(`/proc/${pid}/fd`)) owners.set(target, pid);
  return ports.map((port) => owners.get(`socket:[${inodes.get(port)}]`));
}

async function readTargets(dir: string): Promise<string[]> {
  const descriptors = await readdir(dir).catch(() => []); // the process has ended
  return Promise.all(descriptors.map((name) => readlink(`${dir}/${name}`).catch(() => '')));
}

/** The local address, its port, and the fields up to the inode, the tenth. */
const OPEN_SOCKET = /^ *\d+: 0100007F:([0-9A-F]{4})(?: +\S+){7} +([1-9]\d*) /gm;

/** The inodes of open sockets by their local port: https://docs.kernel.org/networking/proc_net_tcp.html. */
export function findInodes(table: string): Map<number, string> {
  const found = [...table.matchAll(OPEN_SOCKET)];
  return new Map(found.map(([, port = '', inode = '']) => [Number.parseInt(port, 16), inode]));
}
