import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { findBinaries } from '../../packages/embedded-postgres/src/binaries.js';
import { openDataDirectory } from '../../packages/embedded-postgres/src/data-directory.js';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import { launchPostmaster } from '../../packages/embedded-postgres/src/launch-postmaster.js';
import { findPostmaster } from '../../packages/embedded-postgres/src/postmaster.js';
import {
  asAccount,
  asCurrentUser,
  inUserNamespace,
  type RunAs,
  withFileAccessCapability,
} from '../../packages/embedded-postgres/src/run-as.js';
import { stopPostmaster } from '../../packages/embedded-postgres/src/stop-postmaster.js';
import { onServer as query } from '../support/database.js';
import { startInProcess } from '../support/embedded-postgres-process.js';
import { waitFor } from '../support/wait-for.js';

const isRoot = process.getuid?.() === 0;
const onlyAsRoot = isRoot ? describe : describe.skip;

/** Another account can run programs from this checkout only if it can enter every folder above. */
const OTHERS_MAY_ENTER = 0o001;
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & OTHERS_MAY_ENTER) !== 0 && (folder === dirname(folder) || isOpen(dirname(folder)));
const onlyInOpenCheckout = isOpen(process.cwd()) ? it : it.skip;
const NOBODY = { uid: 65534, gid: 65534 };

let dataDir: string;
/** A data directory that has been used. Most tests get a copy: to initialise one takes seconds. */
let used: string;

const emptyDirectory = () => mkdtemp(join(tmpdir(), 'embedded-postgres-spec-'));

beforeAll(async () => {
  used = await emptyDirectory();
  await during({ dataDir: used }, (url) => query(url, 'SELECT 1'));
});
afterAll(() => rm(used, { recursive: true }));
const fill = () => cp(used, dataDir, { recursive: true });

beforeEach(async () => {
  dataDir = await emptyDirectory();
});

afterEach(async () => {
  const directory = await openDataDirectory(dataDir);
  const left = existsSync(directory.cluster) ? await findPostmaster(directory.cluster) : null;
  if (left) await stopPostmaster(directory, left);
  await rm(dataDir, { recursive: true, force: true });
});

const start = (options: Partial<EmbeddedPostgresOptions> = {}) =>
  startEmbeddedPostgres({ dataDir, durable: false, ...options });

const serverPid = async () => Number((await readFile(join(dataDir, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0]);

async function startedAt(url: string): Promise<string> {
  return String((await query(url, 'SELECT pg_postmaster_start_time()::text AS at'))[0]!.at);
}

/** Starts, lets `work` use the server, stops. */
async function during<T>(options: Partial<EmbeddedPostgresOptions>, work: (url: string) => Promise<T>): Promise<T> {
  const postgres = await start(options);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

describe('a data directory', () => {
  it('is filled on the first start and kept on the second', async () => {
    await during({ durable: true }, (url) => query(url, "CREATE TABLE kept AS SELECT 'Ä' AS word"));
    expect(await readdir(dataDir)).toEqual(['cluster', 'postgres.log']);
    expect(await during({}, (url) => query(url, 'SELECT lower(word) AS word FROM kept'))).toEqual([{ word: 'ä' }]);
  });

  it('may have a path with spaces and of any depth', async () => {
    const deep = join(dataDir, 'a folder with "quotes" and spaces', 'x'.repeat(120));
    expect(await during({ dataDir: deep }, (url) => query(url, 'SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('keeps the password and the log from other users', async () => {
    await fill();
    await during({}, async (url) => {
      const password = join(dataDir, 'cluster/service-password');
      expect((await stat(password)).mode & 0o777).toBe(0o600);
      expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600);
      expect((await stat(join(dataDir, 'cluster'))).mode & 0o777).toBe(0o700);
      expect(url).toContain((await readFile(password, 'utf8')).trim());
      await expect(query(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password');
    });
  });

  it('listens on the loopback address only', async () => {
    await fill();
    const settings = await during({}, (url) =>
      query(url, "SELECT setting FROM pg_settings WHERE name IN ('listen_addresses', 'unix_socket_directories')"),
    );
    expect(settings.map(({ setting }) => setting)).toEqual(['127.0.0.1', '']);
  });

  it('is durable by default', async () => {
    await fill();
    const fsync = (options: Partial<EmbeddedPostgresOptions>) => during(options, (url) => query(url, 'SHOW fsync'));
    expect(await fsync({ durable: true })).toEqual([{ fsync: 'on' }]);
    expect(await fsync({ durable: false })).toEqual([{ fsync: 'off' }]);
  });

  it('redoes what a killed initdb left behind', async () => {
    await mkdir(join(dataDir, 'initialising-1234/cluster'), { recursive: true });
    await writeFile(join(dataDir, 'initialising-1234/cluster/PG_VERSION'), '18\n');
    await during({}, (url) => query(url, 'SELECT 1'));
    expect(await readdir(dataDir)).toEqual(['cluster', 'postgres.log']);
  });

  it('is not changed if its cluster is damaged; the error shows the log', async () => {
    await fill();
    await rm(join(dataDir, 'cluster/global/pg_control'));
    await expect(start()).rejects.toThrow(/ended instead of starting.*pg_control/s);
    expect(await readdir(join(dataDir, 'cluster'))).toContain('base');
  });

  it('belongs to its checkout: two run at once', async () => {
    await fill();
    const one = await start();
    const two = await start({ dataDir: join(dataDir, 'other') });
    expect(new URL(one.url).port).not.toBe(new URL(two.url).port);
    await two.stop();
    expect(await query(one.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await one.stop();
  });
});

describe('a server that has to keep running', () => {
  beforeEach(fill);

  const restarts: string[] = [];
  const isUp = (url: string) => query(url, 'SELECT 1').then(Boolean, () => false);

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'is started again after %s, with its data and on its port',
    async (signal) => {
      restarts.length = 0;
      // A start that the next signal ends before it is complete is reported, too, and tried again.
      const onRestart = (line: string) => {
        if (line.includes('has ended')) restarts.push(line);
      };
      const postgres = await start({ durable: true, onRestart });
      await query(postgres.url, "CREATE TABLE kept AS SELECT 'x' AS word");
      for (let nth = 1; nth <= 2; nth++) {
        const pid = await serverPid();
        process.kill(pid, signal);
        await waitFor('a restart', () => restarts.length === nth);
        await waitFor('the server', () => isUp(postgres.url));
        expect(await serverPid()).not.toBe(pid);
        expect(await query(postgres.url, 'SELECT word FROM kept')).toEqual([{ word: 'x' }]);
      }
      await postgres.stop();
      expect(await isUp(postgres.url)).toBe(false);
      expect(restarts).toHaveLength(2);
    },
  );

  it('is stopped for good even while it is being started again', async () => {
    restarts.length = 0;
    const postgres = await start({ onRestart: (line) => restarts.push(line) });
    process.kill(await serverPid(), 'SIGKILL');
    await waitFor('a restart', () => restarts.length === 1);
    await postgres.stop();
    expect(await findPostmaster(join(dataDir, 'cluster'))).toBeNull();
    const next = await start();
    expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await next.stop();
  });
});

it('starts with others in an empty directory: one initialises, the others join', async () => {
  const all = await Promise.all([startInProcess({ dataDir }), startInProcess({ dataDir }), start()]);
  expect(new Set(all.map(({ url }) => url)).size).toBe(1);
  await Promise.all(all.map((postgres) => postgres.stop()));
  await expect(query(all[0].url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
});

describe('a second process', () => {
  beforeEach(fill);

  it('joins the server of the first and leaves it running', async () => {
    const first = await start();
    const second = await startInProcess({ dataDir });
    expect(second.url).toBe(first.url);
    await second.stop();
    expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await first.stop();
    await expect(query(first.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('adopts the server of a process that was killed, and owns it', async () => {
    const killed = await startInProcess({ dataDir });
    const before = await startedAt(killed.url);
    await killed.kill();
    const heir = await start();
    expect(await startedAt(heir.url)).toBe(before);
    await heir.stop();
    await expect(query(heir.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('says so if the server has ended but its process lives', async () => {
    const first = await startInProcess({ dataDir });
    process.kill(await serverPid(), 'SIGQUIT');
    await waitFor('the server to end', async () => !(await findPostmaster(join(dataDir, 'cluster'))));
    await expect(start()).rejects.toThrow('Stop that process, then start again');
    await first.kill();
    await during({}, (url) => query(url, 'SELECT 1'));
  });
});

describe('after a crash', () => {
  beforeEach(fill);

  it('recovers what was committed when everything was killed', async () => {
    const killed = await startInProcess({ dataDir, durable: true });
    await query(killed.url, 'CREATE TABLE kept AS SELECT 7 AS number');
    const pid = await serverPid();
    await killed.kill();
    process.kill(pid, 'SIGKILL');
    expect(await during({}, (url) => query(url, 'SELECT number FROM kept'))).toEqual([{ number: 7 }]);
  });

  it.each([
    ['names a process id that another program has now', (lines: string[]) => [String(process.pid), ...lines.slice(1)]],
    ['names a process that is gone', (lines: string[]) => ['4194303', ...lines.slice(1)]],
    ['is cut off', () => ['']],
  ])('starts over a pid file that %s', async (_case, change) => {
    const killed = await startInProcess({ dataDir });
    const file = join(dataDir, 'cluster/postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await killed.kill();
    process.kill(Number(lines[0]), 'SIGKILL');
    await writeFile(file, change(lines).join('\n'));
    expect(await during({}, (url) => query(url, 'SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('takes another port if the chosen one was taken in between', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const ports = [port, 0];
    const directory = await openDataDirectory(dataDir);
    const way = isRoot ? inUserNamespace(NOBODY) : asCurrentUser;
    const postmaster = await launchPostmaster({
      ...{ directory, binaries: await findBinaries(), way, durable: false, settings: {}, log: () => undefined },
      pickPort: () => Promise.resolve(ports.shift() || 20_000 + randomBytes(2).readUInt16BE() / 2).then(Math.floor),
    });
    expect(postmaster.port).not.toBe(port);
    await stopPostmaster(directory, postmaster);
    taken.close();
  });
});

it('has a session of its own, so that Ctrl-C in the terminal does not reach it', async () => {
  await fill();
  await during({}, async () => {
    const fields = (await readFile(`/proc/${await serverPid()}/stat`, 'utf8')).split(') ')[1]!.split(' ');
    expect(Number(fields[3])).toBe(await serverPid());
  });
});

it('reports every way that did not work', async () => {
  const ways: RunAs[] = [
    { name: 'the first way', through: ['false'] },
    { name: 'the second way', through: ['no-such-program'] },
  ];
  await expect(start({ runAs: ways })).rejects.toThrow(/the first way.*the second way.*ENOENT.*DATABASE_URL/s);
});

onlyAsRoot('root (skipped where the tests do not run as root)', () => {
  const locked = () => join(dataDir, 'locked');

  beforeEach(async () => {
    await mkdir(locked(), { mode: 0o700 });
  });

  const whoOwns = async (path: string) => (await stat(path)).uid;

  it('starts in a folder that nobody else can enter', async () => {
    const inside = join(locked(), 'data');
    expect(await during({ dataDir: inside }, (url) => query(url, 'SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    expect(await whoOwns(join(inside, 'cluster'))).toBe(0);
  });

  it('starts there without user namespaces', async () => {
    const inside = join(locked(), 'data');
    const runAs = [{ ...inUserNamespace(NOBODY), through: ['false'] }, withFileAccessCapability(NOBODY)];
    await during({ dataDir: inside, runAs }, (url) => query(url, 'CREATE TABLE kept AS SELECT 1 AS one'));
    expect(await whoOwns(join(inside, 'cluster/base'))).toBe(NOBODY.uid);
    expect(await during({ dataDir: inside }, (url) => query(url, 'SELECT one FROM kept'))).toEqual([{ one: 1 }]);
    expect(await whoOwns(join(inside, 'cluster/base'))).toBe(NOBODY.uid);
  });

  onlyInOpenCheckout(
    'starts without any helper program in a folder that others can enter, and says what is wrong in one they cannot',
    async () => {
      const runAs = [asAccount(NOBODY)];
      await chmod(dataDir, 0o755);
      expect(await during({ runAs }, (url) => query(url, 'SELECT 1 AS one'))).toEqual([{ one: 1 }]);
      await expect(start({ runAs, dataDir: join(locked(), 'data') })).rejects.toThrow(
        /cannot be run here.*as uid 65534.*can't cd/s,
      );
    },
  );

  it('changes the owner of the files with the way it runs', async () => {
    await during({ runAs: [withFileAccessCapability(NOBODY)] }, (url) => query(url, 'CREATE TABLE kept ()'));
    await during({ runAs: [inUserNamespace(NOBODY)] }, (url) => query(url, 'TABLE kept'));
    expect(await whoOwns(join(dataDir, 'cluster/base'))).toBe(0);
  });

  onlyInOpenCheckout('leaves a directory to the ordinary user who made it', async () => {
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    const ordinary = await startInProcess({ dataDir }, NOBODY);
    await query(ordinary.url, 'CREATE TABLE kept ()');
    await ordinary.stop();
    await during({}, (url) => query(url, 'TABLE kept'));
    const again = await startInProcess({ dataDir }, NOBODY);
    await query(again.url, 'TABLE kept');
    await again.stop();
  });

  onlyInOpenCheckout('reports to an ordinary user that they do not own the directory', async () => {
    await fill();
    await chown(dataDir, NOBODY.uid, NOBODY.gid);
    await expect(startInProcess({ dataDir }, NOBODY)).rejects.toThrow(
      'belongs to uid 0, this process runs as uid 65534',
    );
  });
});
