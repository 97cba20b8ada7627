import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

import { CHILD_ENVIRONMENT } from './child-environment.js';

/**
 * Whether this process is the server of this cluster. A living pid alone says nothing: it may have been given to
 * another program since, or be a zombie that nobody collects.
 */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isPostmasterAccordingToPs(cluster, pid);
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (basename(words[0] ?? '') !== 'postgres') return false;
  return words[words.indexOf('-D') + 1] === cluster || (await workingFolderOf(pid)) === cluster;
}

/** PostgreSQL works in its data directory. Not always readable for another account. */
async function workingFolderOf(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/cwd`).catch(() => null);
}

async function isPostmasterAccordingToPs(cluster: string, pid: number): Promise<boolean> {
  const ps = promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { env: CHILD_ENVIRONMENT });
  return ps.then(
    ({ stdout }) => stdout.includes('postgres') && stdout.includes(`-D ${cluster} `),
    () => false,
  );
}
