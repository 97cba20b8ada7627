import { once } from 'node:events';
import { connect } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { BACKENDS, DeliveryFixture } from '../support/delivery-fixture.js';
import { PipeliningClient } from '../support/pipelining.js';
import { hasRedis } from '../support/redis.js';
import { killServiceProcesses, ServiceProcess, startListening } from '../support/service-process.js';
import { acceptedAfter } from '../support/smtp-sink.js';
import { SlowRelay } from '../support/slow-relay.js';
import { waitFor } from '../support/wait-for.js';

const MESSAGES = 200;
const STOPPED_AFTER = 50;
const ANSWER_AFTER_MS = 20;
const GRACE_MS = 10_000;

let fixture: DeliveryFixture;

afterEach(async () => {
  await killServiceProcesses();
  await fixture.stop();
});

describe.each(BACKENDS)('A worker that gets SIGTERM while it delivers (queue on %s)', (backend) => {
  const run = backend === 'PostgreSQL' || hasRedis ? it : it.skip;

  run('finishes what is in flight and leaves the rest to the next, which delivers nothing twice', async () => {
    fixture = await DeliveryFixture.start(backend);
    fixture.relay.answer = (stage) => (stage === 'data' ? acceptedAfter(ANSWER_AFTER_MS) : undefined);
    const url = await fixture.startApi();
    const ids = await fixture.send(url, MESSAGES);
    const startWorker = () =>
      ServiceProcess.spawn({ ...fixture.variables, ROLE: 'worker', SHUTDOWN_GRACE_MS: String(GRACE_MS) });

    const stopped = startWorker();
    await stopped.waitFor(`${STOPPED_AFTER} mails`, () => fixture.arrivals().length >= STOPPED_AFTER);
    stopped.signal('SIGTERM');
    expect(await stopped.waitForExit()).toEqual({ code: 0, signal: null });
    expect(await fixture.withStatus('sending')).toEqual([]);
    expect(await fixture.inFlight()).toEqual([]);
    expect((await fixture.pending()).length).toBeGreaterThan(0);
    expect(await fixture.withStatus('sent')).toHaveLength(fixture.arrivals().length);

    const next = startWorker();
    await next.waitFor('all outcomes', async () => (await fixture.pending()).length === 0);
    expect(fixture.arrivals().sort()).toEqual(ids.sort());
    expect((await fixture.withStatus('sent')).sort()).toEqual(ids.sort());
  });
});

describe('A worker that gets SIGTERM while messages wait for memory', () => {
  it('gives them back at once, without an attempt', async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    const slow = await SlowRelay.start();
    const url = await fixture.startApi();
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(9 * 1_048_576).toString('base64') }];
    for (let i = 0; i < 3; i++) await fixture.sendMail(url, { to: `r${i}@example.org`, attachments });
    const SMTP_URL = `smtp://127.0.0.1:${slow.port}`;
    const worker = ServiceProcess.spawn({ ...fixture.variables, SMTP_URL, ROLE: 'worker' });
    await worker.waitFor('all claims', async () => slow.begun === 2 && (await fixture.inFlight()).length === 3);
    worker.signal('SIGTERM');
    const UNCLAIMED = 'SELECT attempts::text FROM pending_deliveries WHERE lease_ends_at IS NULL';
    expect(await worker.waitFor('a release', async () => (await fixture.column(UNCLAIMED))[0])).toBe('0');
    expect(await fixture.inFlight()).toHaveLength(2);
    await slow.stop();
  });
});

describe('An API that gets SIGTERM', () => {
  it('answers the request in flight with 201 before it ends', async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    const { process, url } = await startListening({ ...fixture.variables, ROLE: 'api' });
    const holder = new Client({ connectionString: fixture.variables.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE pending_deliveries IN ACCESS EXCLUSIVE MODE');

    const answer = fixture.post(url, 'ada@example.org');
    await waitFor('the request to wait for the table', async () => (await fixture.column(WAITING)).length > 0);
    process.signal('SIGTERM');
    await process.waitFor('new connections to be refused', () => isRefused(`${url}/health/live`));
    await holder.query('COMMIT');
    await holder.end();

    const response = await answer;
    expect(response.status).toBe(201);
    const { messageLogId } = (await response.json()) as { messageLogId: string };
    expect(await process.waitForExit()).toEqual({ code: 0, signal: null });
    expect(await fixture.pending()).toEqual([messageLogId]);
  });

  it('answers the one in flight of pipelined requests, and accepts nothing that it does not answer', async () => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    const { process, url } = await startListening({ ...fixture.variables, ROLE: 'api' });
    const holder = new Client({ connectionString: fixture.variables.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE pending_deliveries IN ACCESS EXCLUSIVE MODE');

    const client = await PipeliningClient.connect(url);
    await client.write(fixture.postText('ada@example.org').repeat(20));
    await waitFor('a request to wait for the table', async () => (await fixture.column(WAITING)).length > 0);
    process.signal('SIGTERM');
    await process.waitFor('new connections to be refused', () => isRefused(`${url}/health/live`));
    await holder.query('COMMIT');
    await holder.end();

    expect(await process.waitForExit()).toEqual({ code: 0, signal: null });
    await waitFor('the connection to be closed', () => client.isClosed);
    expect(client.statuses).toEqual([201]);
    expect(await fixture.pending()).toHaveLength(1);
  });

  it.each([
    ['has sent nothing yet', ''],
    ['is in the middle of its headers', 'GET /health/live HTTP/1.1\r\nHost: service\r\n'],
    ['is kept open after an answer', 'GET /health/live HTTP/1.1\r\nHost: service\r\n\r\n'],
  ])('does not wait for a connection that %s', async (_, sent) => {
    fixture = await DeliveryFixture.start('PostgreSQL');
    const { process, url } = await startListening({ ...fixture.variables, ROLE: 'api' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined); // being cut off is what it is here for
    await once(socket, 'connect');
    socket.write(sent);
    if (sent.endsWith('\r\n\r\n')) await once(socket, 'data');
    expect(await process.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    socket.destroy();
  });
});

const WAITING = `SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const isRefused = (url: string): Promise<boolean> =>
  fetch(url, { headers: { Connection: 'close' } }).then(
    () => false,
    (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED',
  );
