import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { unprivilegedAccount } from '../../packages/embedded-postgres/src/choose-run-as.js';
import { type Account, asAccount, asCurrentUser } from '../../packages/embedded-postgres/src/run-as.js';
import { runProgram } from '../../packages/embedded-postgres/src/run-program.js';
import { freePort } from './redis.js';

const INITDB_LIMIT_MS = 180_000;
const DEBIAN = '/usr/lib/postgresql';

/** The folder with the programs of Debian's PostgreSQL, pg_dump included: of this version, or of the oldest one. */
export function findInstalledPostgres(wanted?: string): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).filter((version) => /^\d+$/.test(version)) : [];
  const usable = versions
    .filter((version) => (wanted === undefined ? Number(version) >= 14 : version === wanted))
    .sort((one, other) => Number(one) - Number(other))
    .map((version) => join(DEBIAN, version, 'bin'));
  return usable.find((folder) => existsSync(join(folder, 'postgres'))) ?? null;
}

/** A server with these programs, in a directory of its own. Root runs it as another user, as PostgreSQL demands. */
export class InstalledPostgres {
  private constructor(
    readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(programs: string): Promise<InstalledPostgres> {
    const account = accountForPostgres();
    const dir = await mkdtemp(join(tmpdir(), 'installed-postgres-'));
    await chmod(dir, 0o755);
    if (account) await chown(dir, account.uid, account.gid);
    const data = join(dir, 'data');
    const initdb = ['-D', data, '--username=service', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
    const way = account ? asAccount(account) : asCurrentUser;
    await runProgram(way, join(programs, 'initdb'), [...initdb, '--no-sync'], INITDB_LIMIT_MS);
    const port = await freePort();
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...settings(port)], {
      ...account,
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    await new Promise<void>((resolve, reject) => {
      let printed = '';
      child.stderr.on('data', (text) => {
        printed = (printed + String(text)).slice(-10_000);
        if (printed.includes('ready to accept connections')) resolve();
      });
      void ended.then(() => {
        reject(new Error(`PostgreSQL ended:\n${printed}`));
      });
    });
    return new InstalledPostgres(`postgres://service:unused@127.0.0.1:${port}/postgres`, async () => {
      child.kill('SIGINT');
      await ended;
      await rm(dir, { recursive: true });
    });
  }
}

function accountForPostgres(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const account = unprivilegedAccount(readFileSync('/etc/passwd', 'utf8'));
  if (!account) throw new Error('This is root, and there is no other account to run PostgreSQL as');
  return account;
}

const settings = (port: number): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    fsync: 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
