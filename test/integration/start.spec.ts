import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';

import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/redis.js';
import { killServiceProcesses, ServiceProcess, startListening } from '../support/service-process.js';

jest.setTimeout(90_000);

const APP_SECRET = 'a secret of the tests, of thirty-two characters and more';

afterEach(() => killServiceProcesses());

/** Starts a process that must not come up; what it printed. */
async function refusal(variables: Record<string, string>): Promise<string> {
  const process = ServiceProcess.spawn({ APP_SECRET, ...variables });
  expect(await process.waitForExit()).toEqual({ code: 1, signal: null });
  return process.printed;
}

/** The faults that are listed, without the line above them. */
const faultsIn = (printed: string) => printed.trimEnd().split('\n').slice(1).sort();

describe('A start with a faulty configuration', () => {
  it('reports all faults at once, each naming its variable, and exits with 1', async () => {
    const printed = await refusal({
      PORT: 'abc',
      DATABASE_URL: 'nonsense',
      LOG_LEVEL: 'loud',
      ROLE: 'boss',
      PROCESSES: 'many',
      APP_SECRET: 'short',
      ADMIN_EMAIL: 'ada@example.com',
    });
    expect(printed).toMatch(/^The configuration has faults:\n/);
    expect(faultsIn(printed)).toEqual([
      '  ADMIN_PASSWORD: ADMIN_EMAIL and ADMIN_PASSWORD go together',
      '  APP_SECRET: must have at least 32 characters',
      '  DATABASE_URL: must be a URL that begins with postgres:// or postgresql://',
      expect.stringMatching(/^ {2}LOG_LEVEL: .*"info"/),
      expect.stringMatching(/^ {2}PORT: .*number/),
      '  PROCESSES: must be a whole number from 1 to 64, or auto',
      expect.stringMatching(/^ {2}ROLE: .*"worker"/),
    ]);
  });

  it('reports a missing APP_SECRET in production together with all other faults', async () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/service', APP_SECRET: '' };
    const needed = '  APP_SECRET: is required where NODE_ENV=production and DATABASE_URL are set';
    expect(faultsIn(await refusal(production))).toEqual([needed]);
    expect(faultsIn(await refusal({ ...production, SMTP_URL: 'http://relay' }))).toEqual([
      needed,
      '  SMTP_URL: must be a URL that begins with smtp:// or smtps://',
    ]);
  });
});

describe('A start without its database', () => {
  it('says which database it cannot use, without the password, and exits with 1', async () => {
    const port = await freePort();
    const printed = await refusal({ DATABASE_URL: `postgres://service:top-secret@localhost:${port}/service` });
    expect(printed).toContain(`The database localhost:${port}/service (DATABASE_URL) cannot be used: `);
    expect(printed).toContain('ECONNREFUSED');
    expect(printed).not.toContain('top-secret');
  });

  it('does not hang if the database never answers', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const printed = await refusal({ DATABASE_URL: `postgres://service@127.0.0.1:${port}/service` });
    expect(printed).toContain(`The database 127.0.0.1:${port}/service (DATABASE_URL) cannot be used: `);
    silent.close();
  });

  it('reports a wrong password', async () => {
    const url = new URL(process.env.TEST_POSTGRES_URL!);
    url.password = 'wrong';
    expect(await refusal({ DATABASE_URL: url.href })).toContain('cannot be used: password authentication failed');
  });
});

describe('A start on a taken port', () => {
  let taken: Server;
  let dataDir: string;

  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    dataDir = await mkdtemp(join(tmpdir(), 'start-spec-'));
  });
  afterAll(async () => {
    taken.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('names the port, stops the PostgreSQL that it started and exits with 1', async () => {
    const { port } = taken.address() as AddressInfo;
    const printed = await refusal({ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir });
    expect(printed).toContain(`Port ${port} is taken by another program; set PORT to a free one.`);
    expect(await readdir(join(dataDir, 'postgres'))).toContain('cluster');
    expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
  });
});

describe('Processes on one empty database', () => {
  let database: TestDatabase;
  let variables: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase('template0');
    variables = { DATABASE_URL: database.url, APP_SECRET };
  });
  afterAll(() => database.drop());

  it('become ready when they start together, and create one first account', async () => {
    const admin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'ada password' };
    const started = await Promise.all([1, 2].map(() => startListening({ ...variables, ...admin })));
    expect(new Set(started.map(({ url }) => url)).size).toBe(2);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query('SELECT u.email FROM accounts a LEFT JOIN users u ON u.account_id = a.id');
    await client.end();
    expect(rows).toEqual([{ email: 'ada@example.com' }]);
  });
});

const onlyOnLinux = process.platform === 'linux' ? it : it.skip;

describe('A worker', () => {
  let database: TestDatabase;
  let variables: Record<string, string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    variables = { DATABASE_URL: database.url, APP_SECRET, ROLE: 'worker' };
  });
  afterAll(() => database.drop());

  onlyOnLinux('listens on nothing', async () => {
    const worker = ServiceProcess.spawn(variables);
    await worker.waitForOutput(/listening on no port/);
    expect(await listeningSockets(worker.pid)).toBe(0);
  });

  onlyOnLinux('listens where PORT is set', async () => {
    const { process: worker } = await startListening(variables);
    expect(await listeningSockets(worker.pid)).toBe(1);
  });
});

/** TCP sockets that the process listens on. */
async function listeningSockets(pid: number): Promise<number> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')));
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1)).map((line) => line.trim().split(/\s+/));
  const LISTEN = '0A';
  return rows.filter(([, , , state, , , , , , inode]) => state === LISTEN && targets.includes(`socket:[${inode!}]`))
    .length;
}
