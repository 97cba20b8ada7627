import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

import autocannon from 'autocannon';
import pg from 'pg';

import { type BenchDatabase, createAccount, HTML, SENDER, startDatabase } from './support/environment.js';
import { postEmailCount, postEmails } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, print, type Row } from './support/report.js';

const ROUNDS = 3;
const SECONDS = 6;
const BATCH = 100;
const CONNECTIONS = 4;
const POOL_SIZE = '20';
const PORT = 41_741;
const URL = `http://127.0.0.1:${PORT}`;
const DUE_TOGETHER = 100_000;
const MILLION = 1_000_000;
const WARM_UP = 5_000;
const SINGLE_MESSAGES = 10_000;
/** From the last request to the scheduled time; the worker starts meanwhile. */
const AHEAD_MS = 10_000;

interface Bench {
  database: BenchDatabase;
  sink: ChildProcess;
  /** The variables of every process. */
  env: Record<string, string>;
  secret: string;
}

/** Batches compared with single sends, many messages that are due together, and what a million scheduled ones cost. */
export async function benchBatch(): Promise<Row[]> {
  const database = await startDatabase();
  const sink = startProgram('.bench/bench/programs/smtp-sink.js');
  const smtpUrl = `smtp://127.0.0.1:${(await nextMessage<{ port: number }>(sink)).port}`;
  const env = { DATABASE_URL: database.url, SMTP_URL: smtpUrl, DATABASE_POOL_SIZE: POOL_SIZE };
  const api = startService({ ...env, ROLE: 'api', PORT: String(PORT) });
  try {
    await untilReady(URL);
    const bench = { database, sink, env, secret: await createAccount(database) };
    const batches = await acceptBatches(bench);
    print(batches);
    await forget(bench);
    const together = await dueTogether(bench, batches[0]?.ours ?? NaN);
    await forget(bench);
    return [...batches, ...together, ...(await withMillion(bench))];
  } finally {
    await stop(api);
    await stop(sink, 'SIGKILL');
    await database.stop();
  }
}

async function acceptBatches({ database, secret }: Bench): Promise<Row[]> {
  await postEmails(URL, secret, 3);
  await postBatches(secret, { duration: 3 });
  const rounds: { single: number; batch: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      single: (await postEmails(URL, secret, SECONDS)).perSecond,
      batch: await postBatches(secret, { duration: SECONDS }),
      bare: await insertRows(database, SECONDS),
    });
    await pause(500);
  }
  const row = (name: string, reference: 'single' | 'bare', aim: string): Row => ({
    name,
    ours: median(rounds.map(({ batch }) => batch)),
    reference: median(rounds.map((round) => round[reference])),
    ratio: median(rounds.map((round) => round.batch / round[reference])),
    aim,
  });
  return [
    row('batch: messages/s, 100 per request, 4 connections; reference: accept', 'single', '≥ 3'),
    row('batch: the same; reference: one INSERT of the same rows', 'bare', '-'),
  ];
}

let recipients = 0;

const bodyOf = (scheduledAt?: string): string =>
  JSON.stringify({
    messages: Array.from({ length: BATCH }, () => ({
      to: `r${++recipients}@example.net`,
      fromEmail: SENDER,
      subject: 'Your order',
      html: HTML,
      scheduledAt,
    })),
  });

/** Messages per second. Any response but a 2xx fails the benchmark. */
async function postBatches(
  secret: string,
  until: { duration: number } | { amount: number },
  scheduledAt?: string,
): Promise<number> {
  const result = await autocannon({
    url: URL,
    connections: CONNECTIONS,
    ...until,
    requests: [
      {
        method: 'POST',
        path: '/api/send/batch',
        headers: { 'x-api-key': secret, 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: bodyOf(scheduledAt) }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals and ${result.errors} errors`);
  return (result['2xx'] / result.duration) * BATCH;
}

/** Rows per second of bare pg: one durable INSERT of as many rows as a batch has, over as many connections. */
async function insertRows({ url }: BenchDatabase, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  await pool.query(
    `CREATE TABLE IF NOT EXISTS bare_rows (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, recipient text NOT NULL,
     sender text NOT NULL, subject text NOT NULL, html text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
  );
  const startedAt = performance.now();
  let inserted = 0;
  const work = async () => {
    while (performance.now() - startedAt < seconds * 1_000) {
      const { messages } = JSON.parse(bodyOf()) as { messages: { to: string; html: string }[] };
      await pool.query({
        name: 'insert',
        text: `INSERT INTO bare_rows (recipient, sender, subject, html)
          SELECT recipient, $2, 'Your order', html FROM unnest($1::text[], $3::text[]) AS r (recipient, html)`,
        values: [messages.map(({ to }) => to), SENDER, messages.map(({ html }) => html)],
      });
      inserted += messages.length;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const ms = performance.now() - startedAt;
  await pool.end();
  return inserted / (ms / 1_000);
}

/** Drops what is waiting to be delivered. */
async function forget({ database: { pool } }: Bench): Promise<void> {
  await pool.query('DELETE FROM pending_deliveries');
  await pool.query('VACUUM (ANALYZE) pending_deliveries');
}

async function dueTogether(bench: Bench, messagesPerSecond: number): Promise<Row[]> {
  const { sink, env, secret } = bench;
  const before = await singleRate(bench);
  const dueAt = Date.now() + (DUE_TOGETHER / messagesPerSecond) * 1_500 + AHEAD_MS;
  await postBatches(secret, { amount: DUE_TOGETHER / BATCH }, new Date(dueAt).toISOString());
  if (Date.now() > dueAt - AHEAD_MS / 2) throw new Error('The messages were due before the worker could start');
  sink.send({ count: 1 });
  const first = nextMessage(sink);
  const worker = startService({ ...env, ROLE: 'worker' });
  await first;
  const firstAfterMs = Date.now() - dueAt;
  sink.send({ count: DUE_TOGETHER - 2 * WARM_UP, warmUp: WARM_UP });
  const { received, ms } = await nextMessage<{ received: number; ms: number }>(sink);
  await stop(worker);
  await forget(bench);
  const ours = received / (ms / 1_000);
  const reference = (before + (await singleRate(bench))) / 2;
  return [
    { name: 'batch: 100,000 due together: first submission after s', ours: firstAfterMs / 1_000, aim: '0 to 5' },
    { name: 'batch: the same, messages/s; reference: deliver', ours, reference, ratio: ours / reference, aim: '≥ 0.9' },
  ];
}

/** Messages per second of one worker, as `deliver` measures it. */
async function singleRate({ sink, env, secret }: Bench): Promise<number> {
  await postEmailCount(URL, secret, WARM_UP + SINGLE_MESSAGES);
  sink.send({ count: SINGLE_MESSAGES, warmUp: WARM_UP });
  const done = nextMessage<{ received: number; ms: number }>(sink);
  const worker = startService({ ...env, ROLE: 'worker' });
  const { received, ms } = await done;
  await stop(worker);
  return received / (ms / 1_000);
}

/** Between two measurements without them. */
async function withMillion(bench: Bench): Promise<Row[]> {
  const measure = async () => ({
    accept: (await postEmails(URL, bench.secret, SECONDS)).perSecond,
    deliver: await singleRate(await forgotten(bench)),
  });
  const { pool } = bench.database;
  const before = await measure();
  await forget(bench);
  await pool.query(SCHEDULE, [MILLION]);
  await pool.query('VACUUM (ANALYZE) pending_deliveries');
  const during = await measure();
  await pool.query('DELETE FROM pending_deliveries WHERE scheduled_at IS NOT NULL');
  await forget(bench);
  const after = await measure();
  return (['accept', 'deliver'] as const).map((what) => {
    const [ours, reference] = [during[what], (before[what] + after[what]) / 2];
    return { name: `batch: ${what}, a million scheduled`, ours, reference, ratio: ours / reference, aim: '≥ 0.97' };
  });
}

/** The bench after dropping what is due, and keeping what is scheduled. */
async function forgotten(bench: Bench): Promise<Bench> {
  await bench.database.pool.query('DELETE FROM pending_deliveries WHERE scheduled_at IS NULL');
  return bench;
}

/** $1: how many pending deliveries over the next 90 days. Claims and acceptance do not read their messages. */
const SCHEDULE = `
  INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, scheduled_at)
  SELECT 'c' || lpad(to_hex(n), 8, '0') || substr(md5(n::text), 1, 16), a.id, 'email', at, at, at
  FROM accounts a, generate_series(1, $1::integer) n, LATERAL (
    SELECT now() + interval '1 hour' + n * interval '7 seconds' AS at) time`;
