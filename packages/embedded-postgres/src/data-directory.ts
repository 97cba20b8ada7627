import { mkdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export interface DataDirectory {
  dir: string;
  /** PostgreSQL's data folder. It gets this name only when it is complete. */
  cluster: string;
  log: string;
  /** `starting` and `owner` hold on this machine; `file` also in other containers. */
  locks: { starting: string; owner: string; file: string };
}

/** The locks are named after device and inode, so that two paths to the same folder share them. */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  await mkdir(resolve(path), { recursive: true });
  const dir = await realpath(resolve(path));
  const { dev, ino } = await stat(dir, { bigint: true });
  const lock = `embedded-postgres-${dev.toString()}-${ino.toString()}`;
  return {
    dir,
    cluster: join(dir, 'cluster'),
    log: join(dir, 'postgres.log'),
    locks: { starting: `${lock}-starting`, owner: `${lock}-owner`, file: join(dir, 'owner.lock') },
  };
}
