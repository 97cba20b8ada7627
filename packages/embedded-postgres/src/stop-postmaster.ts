import { setTimeout as pause } from 'node:timers/promises';

import type { DataDirectory } from './data-directory.js';
import type { Postmaster } from './postmaster.js';
import { isPostmasterOf } from './process-identity.js';
import { logTail } from './server-log.js';

/** Fast, then immediate shutdown: https://www.postgresql.org/docs/18/server-shutdown.html */
const IMMEDIATELY = { signal: 'SIGQUIT', limitMs: 10_000 } as const;
const STEPS = [{ signal: 'SIGINT', limitMs: 30_000 }, IMMEDIATELY] as const;
const POLL_MS = 20;

/** Stops the server: fast (ends sessions and writes the data), or, if that hangs, immediately, as in a crash. */
export const stopPostmaster = (directory: DataDirectory, postmaster: Postmaster): Promise<void> =>
  stopIn(STEPS, directory, postmaster);

/** Stops the server as in a crash, without writing its data. */
export const killPostmaster = (directory: DataDirectory, postmaster: Postmaster): Promise<void> =>
  stopIn([IMMEDIATELY], directory, postmaster);

async function stopIn(
  steps: readonly { signal: NodeJS.Signals; limitMs: number }[],
  directory: DataDirectory,
  { pid }: Postmaster,
): Promise<void> {
  for (const { signal, limitMs } of steps) {
    if (!(await isPostmasterOf(directory.cluster, pid))) return;
    send(signal, pid);
    if (await hasEnded(directory, pid, limitMs)) return;
  }
  throw new Error(`PostgreSQL (pid ${pid}) does not end. Kill it by hand.\n${await logTail(directory)}`);
}

async function hasEnded(directory: DataDirectory, pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (await isPostmasterOf(directory.cluster, pid)) {
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
