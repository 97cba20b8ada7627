import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/redis.js';
import { killServiceProcesses, ServiceProcess, startListening } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';

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
    const printed = await refusal({
      DATABASE_URL: `postgres://service:top-secret@localhost:${port}/service`,
      START_TIMEOUT_MS: '0',
    });
    expect(printed).toContain(`The database localhost:${port}/service (DATABASE_URL) cannot be used: `);
    expect(printed).toContain('ECONNREFUSED');
    expect(printed).not.toContain('top-secret');
  });

  it('does not hang if the database never answers', async () => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const printed = await refusal({
      DATABASE_URL: `postgres://service@127.0.0.1:${port}/service`,
      START_TIMEOUT_MS: '0',
    });
    expect(printed).toContain(`The database 127.0.0.1:${port}/service (DATABASE_URL) cannot be used: `);
    silent.close();
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, 'password authentication failed'],
    ['a database that does not exist', { pathname: '/missing' }, 'database "missing" does not exist'],
  ])('reports %s without waiting', async (_, change, fault) => {
    const printed = await refusal({
      DATABASE_URL: Object.assign(new URL(process.env.TEST_POSTGRES_URL!), change).href,
    });
    expect(printed).toContain(`cannot be used: ${fault}`);
    expect(printed).not.toContain('Trying again');
  });
});

describe('A start before its database', () => {
  it.each(['1', '2'])('waits until it can be reached, with PROCESSES=%s', async (PROCESSES) => {
    const database = await createTestDatabase();
    const proxy = await TcpProxy.start();
    const target = new URL(database.url);
    const url = Object.assign(new URL(database.url), { host: `127.0.0.1:${proxy.port}` });
    const port = await freePort();
    const service = ServiceProcess.spawn({
      DATABASE_URL: url.href,
      APP_SECRET,
      PROCESSES,
      HOST: '127.0.0.1',
      PORT: String(port),
    });
    await service.waitForOutput(
      new RegExp(`The database ${url.host}${url.pathname} .* cannot be used: .*Trying again`),
    );
    proxy.target = Number(target.port);
    await service.waitUntilReady(`http://127.0.0.1:${port}`);
    expect(service.printed).not.toContain(target.password);
    await service.kill('SIGTERM');
    proxy.stop();
    await database.drop();
  });
});

describe('A start that loses its database', () => {
  const CHANGES = `SELECT count(*)::integer AS listening FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'delivery-service-changes'`;
  let database: TestDatabase;
  let proxy: TcpProxy;
  let port: number;

  beforeEach(async () => {
    database = await createTestDatabase();
    proxy = await TcpProxy.start();
    proxy.target = Number(new URL(database.url).port);
    port = await freePort();
  });
  afterEach(async () => {
    await killServiceProcesses();
    proxy.stop();
    await database.drop();
  });

  const start = (variables: Record<string, string> = {}) =>
    ServiceProcess.spawn({
      DATABASE_URL: Object.assign(new URL(database.url), { host: `127.0.0.1:${proxy.port}` }).href,
      APP_SECRET,
      ADMIN_EMAIL: 'ada@example.com',
      ADMIN_PASSWORD: 'ada password',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...variables,
    });

  it.each([
    ['it waits for its turn to migrate', 'pg_advisory_lock'],
    ['it opens the queues', 'search_path=bullmq'],
    ['it reads the clock', 'clock_timestamp()'],
    ['it reads its keys', 'installation_keys'],
    ['its queues connect', 'SELECT COALESCE(MAX(version), 0)::int AS version,'],
    ['it looks for partitions', 'inhdetachpending'],
    ['it looks for an account', 'SELECT id FROM accounts LIMIT'],
    ['it creates the first account', 'INSERT INTO "accounts"'],
  ])('while %s, starts as soon as it is back, and nothing is there twice', async (_, text) => {
    proxy.cutAt(text, 3);
    const service = start();
    await service.waitUntilReady(`http://127.0.0.1:${port}`);
    expect(proxy.cutsLeft).toBe(0);
    expect(service.printed.match(/cannot be used: .*Trying again/g)!.length).toBeGreaterThanOrEqual(3);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    expect((await client.query('SELECT email FROM users')).rows).toEqual([{ email: 'ada@example.com' }]);
    expect((await client.query(CHANGES)).rows).toEqual([{ listening: 1 }]);
    await client.end();
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('ends when its time is up, and names the database', async () => {
    proxy.cutAt('inhdetachpending', Infinity);
    const service = start({ START_TIMEOUT_MS: '1000' });
    expect(await service.waitForExit()).toEqual({ code: 1, signal: null });
    expect(service.printed).toMatch(/The database 127\.0\.0\.1:\d+\/\w+ \(DATABASE_URL\) cannot be used: Connection/);
  });

  it('is started again by its group, with PROCESSES=2', async () => {
    proxy.cutAt('inhdetachpending', 1);
    const service = start({ PROCESSES: '2' });
    await service.waitUntilReady(`http://127.0.0.1:${port}`);
    await service.waitForOutput(/(is ready[\s\S]*){2}/);
    expect(service.printed).not.toMatch(/starting another one/);
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
