import { setTimeout as pause } from 'node:timers/promises';

import type { DataDirectory } from './data-directory.js';
import type { Postmaster } from './postmaster.js';
import { isPostmasterOf } from './process-identity.js';
import { logTail } from './server-log.js';

/** PostgreSQL's own meanings of the signals: https://www.postgresql.org/docs/18/server-shutdown.html */
const STEPS = [
  { signal: 'SIGINT', limitMs: 30_000 },
  { signal: 'SIGQUIT', limitMs: 10_000 },
] as const;
const POLL_MS = 20;

/** Ends the server: fast (sessions are cut off, the data is written), and if that hangs at once, as in a crash. */
export async function stopPostmaster(place: DataDirectory, { pid }: Postmaster): Promise<void> {
  for (const { signal, limitMs } of STEPS) {
    if (!(await isPostmasterOf(place.cluster, pid))) return;
    send(signal, pid);
    if (await hasEnded(place, pid, limitMs)) return;
  }
  throw new Error(`PostgreSQL (pid ${pid}) does not end. Kill it by hand.\n${await logTail(place)}`);
}

async function hasEnded(place: DataDirectory, pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (await isPostmasterOf(place.cluster, pid)) {
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
