import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * Finds the process that owns the socket with this local port; undefined if none of them does.
 */
export async function findSocketOwner(port: number, pids: readonly number[]): Promise<number | undefined> {
  const inode = findInode(await readFile('/proc/net/tcp', 'utf8'), port);
  if (inode === undefined) return undefined;
  for (const pid of pids) {
    const dir = `/proc/${pid}/fd`;
    const descriptors = await readdir(dir).catch(() => []); // the process has ended
    const targets = await Promise.all(descriptors.map((name) => readlink(`${dir}/${name}`).catch(() => '')));
    if (targets.includes(`socket:[${inode}]`)) return pid;
  }
  return undefined;
}

/** https://docs.kernel.org/networking/proc_net_tcp.html: the local address is the second field, the inode the tenth. */
export function findInode(table: string, port: number): string | undefined {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (fields[1] === local && fields[9] !== '0') return fields[9];
  }
  return undefined;
}
