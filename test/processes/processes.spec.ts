import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { DeliveryFixture } from '../support/delivery-fixture.js';
import { freePort } from '../support/redis.js';
import { killServiceProcesses, ServiceProcess, startListening } from '../support/service-process.js';
import { acceptedAfter } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait-for.js';

const MESSAGES = 200;
const ANSWER_AFTER_MS = 20;

interface LogLine {
  pid: number;
  event?: string;
  msg?: string;
}

let fixture: DeliveryFixture;

beforeAll(async () => {
  fixture = await DeliveryFixture.start('PostgreSQL');
});
afterAll(async () => {
  await killServiceProcesses();
  await fixture.stop();
});

/** The lines of the log; fails for a line that is not JSON. The last line may still be incomplete. */
const logOf = ({ printed }: ServiceProcess): LogLine[] =>
  printed
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith('Listening on port'))
    .map((line) => JSON.parse(line) as LogLine);

const readyPids = (process: ServiceProcess): number[] =>
  logOf(process)
    .flatMap(({ msg = '' }) => /^Process (\d+) is ready$/.exec(msg)?.[1] ?? [])
    .map(Number);

const pidsThat = (event: string, process: ServiceProcess): number[] => [
  ...new Set(logOf(process).flatMap((line) => (line.event === event ? [line.pid] : []))),
];

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('A service of two processes', () => {
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    fixture.relay.answer = (stage) => (stage === 'data' ? acceptedAfter(ANSWER_AFTER_MS) : undefined);
    const variables = { ...fixture.variables, PROCESSES: '2', LOG_LEVEL: 'info' };
    ({ process: service, url } = await startListening(variables));
    await service.waitFor('both processes', () => readyPids(service).length === 2);
  });

  async function samples(name: string): Promise<number[]> {
    const text = await (await fetch(`${url}/metrics`)).text();
    return [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
  }
  const total = async (name: string) => (await samples(name)).reduce((sum, value) => sum + value, 0);

  it('serves and delivers in both, replaces one that is killed, and loses nothing', async () => {
    const [first, second] = readyPids(service) as [number, number];
    const ids = await fixture.send(url, MESSAGES);
    await service.waitFor('deliveries of both', () => pidsThat('delivery', service).length === 2);
    expect(pidsThat('request', service).sort()).toEqual([first, second].sort());
    expect(await total('messages_accepted_total')).toBe(MESSAGES);

    process.kill(first, 'SIGKILL');
    await service.waitForOutput(new RegExp(`"msg":"Process ${first} ended with SIGKILL; starting another one`));
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    await service.waitFor('a third process', () => readyPids(service).length === 3);
    await service.waitFor('all outcomes', async () => (await fixture.pending()).length === 0);
    expect(new Set(fixture.arrivals())).toEqual(new Set(ids));
    expect((await fixture.withStatus('sent')).sort()).toEqual(ids.sort());
  });

  it('has one /metrics, without counting the database twice or forgetting the killed process', async () => {
    expect(await total('messages_accepted_total')).toBe(MESSAGES);
    await fixture.column(`
      INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at)
      SELECT 'm' || i, id, 'email', now() + interval '1 hour', now() + interval '1 hour'
      FROM accounts, generate_series(1, 3) i RETURNING message_id`);
    expect(await total('messages_pending')).toBe(3);
    expect(await samples('process_start_time_seconds')).toHaveLength(1);
    await fixture.column(`DELETE FROM pending_deliveries RETURNING message_id`);
  });

  it('stops cleanly and leaves no process', async () => {
    const pids = readyPids(service);
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

describe('A second SIGTERM', () => {
  it('ends all processes at once', async () => {
    const { process: service, url } = await startListening({
      ...fixture.variables,
      ROLE: 'api',
      PROCESSES: '2',
      LOG_LEVEL: 'info',
    });
    await service.waitFor('both processes', () => readyPids(service).length === 2);
    const holder = new Client({ connectionString: fixture.variables.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE accounts, pending_deliveries IN ACCESS EXCLUSIVE MODE');
    const answer = fixture.post(url, 'ada@example.org').catch(() => null);
    await waitFor('a request that waits', async () => (await fixture.column(WAITING)).length > 0);

    service.signal('SIGTERM');
    await service.waitFor('the idle process to end', () => readyPids(service).filter(isAlive).length === 1);
    service.signal('SIGTERM');
    expect(await service.waitForExit()).toEqual({ code: 1, signal: null });
    await waitFor('the end of all processes', () => !readyPids(service).some(isAlive));
    await holder.query('ROLLBACK');
    await holder.end();
    await answer;
  });
});

const WAITING = `SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('Two processes with the embedded PostgreSQL', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'processes-spec-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('refuse a taken port like a single one, then share one server, which ends with them', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const variables = { HOST: '127.0.0.1', DATA_DIR: dataDir, PROCESSES: '2', DATABASE_POOL_SIZE: '60', ROLE: 'api' };
    const refused = ServiceProcess.spawn({ ...variables, PORT: String(port) });
    expect(await refused.waitForExit()).toEqual({ code: 1, signal: null });
    expect(refused.printed).toMatch(
      new RegExp(`^Port ${port} is taken by another program; set PORT to a free one.$`, 'm'),
    );
    taken.close();

    const { process: service } = await startListening(variables);
    await service.waitFor('both processes', () => readyPids(service).length === 2);
    expect(service.printed).not.toContain('connections');
    expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(readyPids(service).filter(isAlive)).toEqual([]);
    expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);
  });
});

describe('Two processes without their database', () => {
  it('do not start', async () => {
    const port = await freePort();
    const service = ServiceProcess.spawn({
      APP_SECRET: 'a secret of the tests, of thirty-two characters and more',
      DATABASE_URL: `postgres://service:top-secret@localhost:${port}/service`,
      PROCESSES: '2',
      START_TIMEOUT_MS: '0',
    });
    expect(await service.waitForExit()).toEqual({ code: 1, signal: null });
    expect(service.printed).toContain(`The database localhost:${port}/service (DATABASE_URL) cannot be used: `);
    expect(service.printed).not.toContain('top-secret');
  });
});
