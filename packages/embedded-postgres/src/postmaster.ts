import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { DataDirectory } from './data-directory.js';
import { parsePostmasterPidFile, type PostmasterPidFile } from './postmaster-pid-file.js';
import { isPostmasterOf } from './process-identity.js';
import { logTail } from './server-log.js';

export interface Postmaster {
  pid: number;
  port: number;
}

/** A server that is recovering from a crash must not be mistaken for one that hangs. */
const READY_LIMIT_MS = 300_000;
const UNREADABLE_LIMIT_MS = 1000;
const POLL_MS = 20;

/**
 * Finds the server that runs from this cluster, for the owner of the directory. Otherwise it removes the pid file:
 * PostgreSQL would refuse to start if another program has been given that pid.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const postmaster = await readPostmaster(cluster);
  if (!postmaster) await rm(pidFile(cluster), { force: true });
  return postmaster;
}

/** Finds the server for a process that does not own the directory and therefore changes nothing in it. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const file = await readSettledPidFile(cluster);
  return file && (await isPostmasterOf(cluster, file.pid)) ? file : null;
}

/** Resolves when the server accepts connections; rejects if it ends, is shutting down, or takes too long. */
export async function waitUntilReady(
  directory: DataDirectory,
  pid: number,
  isAlive = () => isPostmasterOf(directory.cluster, pid),
): Promise<Postmaster> {
  const deadline = Date.now() + READY_LIMIT_MS;
  while (Date.now() < deadline) {
    const alive = await isAlive();
    const file = await readPidFile(directory.cluster);
    if (file?.pid === pid && file.status === 'ready') return file;
    if (file?.pid === pid && file.status === 'stopping') throw new Error('PostgreSQL is shutting down.');
    if (!alive) throw new Error(`PostgreSQL has ended instead of starting. ${await logTail(directory)}`);
    await pause(POLL_MS);
  }
  throw new Error(`PostgreSQL was not ready after ${READY_LIMIT_MS / 1000} s. ${await logTail(directory)}`);
}

async function readPidFile(cluster: string): Promise<PostmasterPidFile | null> {
  const text = await readFile(pidFile(cluster), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  return parsePostmasterPidFile(text);
}

/** Gives a file that is being written the time to become readable. */
async function readSettledPidFile(cluster: string): Promise<PostmasterPidFile | null> {
  const deadline = Date.now() + UNREADABLE_LIMIT_MS;
  for (;;) {
    const file = await readPidFile(cluster);
    if (file || Date.now() > deadline || !(await hasPidFile(cluster))) return file;
    await pause(POLL_MS);
  }
}

const hasPidFile = (cluster: string) =>
  readFile(pidFile(cluster)).then(
    () => true,
    () => false,
  );

const pidFile = (cluster: string) => join(cluster, 'postmaster.pid');
