import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Teardown } from './teardown.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MIGRATIONS = 'migrations/[0-9]*.ts';

export interface Release {
  commit: string;
  /** How it was chosen. */
  name: string;
  isTagged: boolean;
  /** The migrations that this version adds to it. */
  added: string[];
  /** The migrations that it has too, with other contents, or that are missing here. */
  changed: string[];
}

/** There is nothing to upgrade from. The message is the reason. */
export class NoPreviousRelease extends Error {}

/**
 * The given commit; else the newest tag before this one; else the parent of the last commit that added a migration, so
 * that the upgrade migrates beside the running processes. A shallow clone may not have it.
 */
export function findPreviousRelease(from: string | undefined): Release {
  if (from !== undefined) return releaseAt(from, from, false);
  const [tag] = lines('tag', '--merged', 'HEAD', '--no-contains', 'HEAD', '--sort=-version:refname');
  if (tag !== undefined) return releaseAt(tag, tag, true);
  const [last] = lines('log', '-1', '--first-parent', '--diff-filter=A', '--format=%h', '--', MIGRATIONS);
  if (last === undefined) throw new NoPreviousRelease('no commit adds a migration');
  return releaseAt(`${last}^`, `the parent of ${last}, which added the last migration`, false);
}

function releaseAt(ref: string, name: string, isTagged: boolean): Release {
  const [commit] = lines('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
  if (commit === undefined)
    throw new NoPreviousRelease(`${ref} is not in this repository, which may be a shallow clone`);
  const compare = (filter: string) =>
    lines('diff', '--no-renames', `--diff-filter=${filter}`, '--name-only', commit, '--', MIGRATIONS);
  return { commit, name, isTagged, added: compare('A'), changed: compare('MD') };
}

/** The output of git, or nothing if it fails: not a repository, or no such commit. */
function lines(...args: string[]): string[] {
  try {
    const output = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return output.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** Builds the service as of the commit, without the dashboard, in this directory. Returns its program. */
export async function buildRelease(commit: string, dir: string, teardown: Teardown): Promise<string> {
  const abort = new AbortController();
  teardown.add(async () => {
    abort.abort();
    await rm(dir, { recursive: true, force: true });
  });
  const run = async (command: string, args: string[], cwd: string) => {
    await promisify(execFile)(command, args, { cwd, signal: abort.signal, maxBuffer: MAX_OUTPUT });
  };
  await mkdir(dir);
  const archive = join(dir, 'release.tar');
  await run('git', ['archive', '--output', archive, commit], ROOT);
  await run('tar', ['-xf', archive], dir);
  await rm(archive);
  if (await hasSameDependencies(dir)) await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund'], dir);
  await run(process.execPath, ['node_modules/@nestjs/cli/bin/nest.js', 'build'], dir);
  if (existsSync(join(dir, BUNDLE))) await run(process.execPath, [BUNDLE], dir);
  const main = join(dir, 'dist', 'main.js');
  if (!existsSync(main)) throw new Error(`The build of ${commit} makes no dist/main.js`);
  return main;
}

/** Makes `dist/main.js`; earlier releases have it without. */
const BUNDLE = 'scripts/bundle.mjs';
const MAX_OUTPUT = 16 * 2 ** 20;

interface Lock {
  packages: Record<string, { version?: string; dependencies?: object; devDependencies?: object }>;
}

/** Whether the installed packages are those that the release depends on. Theirs may differ. */
async function hasSameDependencies(dir: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([readLock(dir), readLock(ROOT)]);
  const { dependencies = {}, devDependencies = {} } = theirs.packages['']!;
  return Object.keys({ ...dependencies, ...devDependencies }).every((name) => {
    const path = `node_modules/${name}`;
    return theirs.packages[path]?.version === ours.packages[path]?.version;
  });
}

const readLock = async (dir: string) => JSON.parse(await readFile(join(dir, 'package-lock.json'), 'utf8')) as Lock;
