import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

import { CHILD_ENVIRONMENT } from './run-program.js';

/**
 * Whether this process is the server of this cluster. That the pid exists proves nothing: it may have been reused, or
 * belong to a zombie that nobody reaps.
 */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isPostmasterAccordingToPs(cluster, pid);
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (basename(words[0] ?? '') !== 'postgres') return false;
  return words[words.indexOf('-D') + 1] === cluster || (await workingDirectoryOf(pid)) === cluster;
}

/** The working directory of PostgreSQL is its data directory. Another account may not be able to read it. */
async function workingDirectoryOf(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/cwd`).catch(() => null);
}

async function isPostmasterAccordingToPs(cluster: string, pid: number): Promise<boolean> {
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { env: CHILD_ENVIRONMENT });
  return ps.then(
    ({ stdout }) => stdout.includes('postgres') && stdout.includes(`-D ${cluster} `),
    () => false,
  );
}
