import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Binaries } from './binaries.js';
import type { DataDirectory } from './data-directory.js';
import type { Account, RunAs } from './run-as.js';
import { runProgram } from './run-program.js';

const INITDB_LIMIT_MS = 180_000;
const UNFINISHED = 'initialising-';

export interface ClusterStart {
  directory: DataDirectory;
  binaries: Binaries;
  way: RunAs;
  durable: boolean;
  log: (line: string) => void;
}

/**
 * Creates the cluster unless it exists. It is created under a temporary name and renamed when it is complete: a cluster
 * under the final name is never overwritten, and the remains of a killed process are never taken for a cluster.
 */
export async function ensureCluster(start: ClusterStart): Promise<void> {
  const { directory, way } = start;
  await removeUnfinished(directory);
  if (await exists(directory.cluster)) {
    if (way.owner) await giveTo(directory.cluster, way.owner);
    return;
  }
  await initialise(start);
}

/** The password file is inside the cluster: neither exists without the other. */
export async function readPassword({ cluster }: DataDirectory): Promise<string> {
  const path = passwordFile(cluster);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    throw new Error(`The password of the embedded PostgreSQL cannot be read from ${path}; restore the file`, { cause });
  }
}

async function initialise({ directory, binaries, way, durable, log }: ClusterStart): Promise<void> {
  log(`Creating a PostgreSQL cluster in ${directory.dir}`);
  const work = join(directory.dir, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  const cluster = join(work, 'cluster');
  const password = join(work, 'password');
  await mkdir(work, { mode: 0o700 });
  await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (way.owner) await giveTo(work, way.owner);

  const args = ['-D', cluster, `--pwfile=${password}`, ...CLUSTER_OPTIONS, ...(durable ? [] : ['--no-sync'])];
  const initdb = (...more: string[]) => runProgram(way, binaries.initdb, [...args, ...more], INITDB_LIMIT_MS);
  await initdb(UNICODE_CLASSES).catch((error: unknown) => {
    if (!/invalid locale name/.test((error as Error).message)) throw error;
    return initdb();
  });

  await rename(password, passwordFile(cluster));
  if (durable) await syncAll([passwordFile(cluster), cluster]);
  await rename(cluster, directory.cluster);
  if (durable) await syncAll([directory.dir]);
  await removeUnfinished(directory);
}

/** The built-in locale covers all of Unicode and sorts the same on every machine. */
const CLUSTER_OPTIONS = [
  '--username=service',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/** pg_trgm asks the system which characters are letters. On systems without this locale, trigrams are ASCII only. */
const UNICODE_CLASSES = '--lc-ctype=C.UTF-8';

const passwordFile = (cluster: string) => join(cluster, 'service-password');

/** Best effort: an initdb that has outlived its process may still write there, and soon fails. */
async function removeUnfinished({ dir }: DataDirectory): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(UNFINISHED));
  const removals = names.map((name) => rm(join(dir, name), { recursive: true, force: true, maxRetries: 3 }));
  await Promise.allSettled(removals);
}

/** Changes the folder itself last: while it has the old owner, an interrupted change is resumed. */
async function giveTo(folder: string, { uid, gid }: Account): Promise<void> {
  if ((await stat(folder)).uid === uid) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  }
  await chown(folder, uid, gid);
}

async function syncAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = await open(path);
    await file.sync().finally(() => file.close());
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    },
  );
}
