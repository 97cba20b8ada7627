import { spawnSync, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

import { type BenchDatabase, createAccount, createTestKey, startDatabase } from './support/environment.js';
import { postEmailCount } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

const MESSAGES = 10_000;
const WARM_UP = 5_000;
const ROUNDS = 3;
const POLL_MS = 25;
const API_PORT = 41_742;
const REDIS_PORT = 41_743;

/**
 * Messages per second of one worker with a test key, compared with the same messages of a live key to an SMTP sink. The
 * worker applies the simulated reports of the first messages while it submits the last ones.
 */
export async function benchSimulate(): Promise<Row[]> {
  const rows = [await benchOn('PostgreSQL')];
  if (spawnSync('redis-server', ['--version']).status === 0) rows.push(await benchOn('Redis'));
  return rows;
}

async function benchOn(backend: 'PostgreSQL' | 'Redis'): Promise<Row> {
  const database = await startDatabase();
  const sink = startProgram('.bench/bench/programs/smtp-sink.js', {});
  const redis =
    backend === 'Redis'
      ? spawn('redis-server', ['--port', String(REDIS_PORT), '--save', ''], { stdio: 'ignore' })
      : null;
  try {
    const env = {
      DATABASE_URL: database.url,
      SMTP_URL: `smtp://127.0.0.1:${(await nextMessage<{ port: number }>(sink)).port}`,
      ...(redis ? { REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}` } : {}),
    };
    const secrets: { live?: string; test?: string } = {};
    const rates: { live: number; test: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const rate: Record<string, number> = {};
      for (const mode of ['live', 'test'] as const) {
        const api = startService({ ...env, ROLE: 'api', PORT: String(API_PORT) });
        await untilReady(`http://127.0.0.1:${API_PORT}`);
        secrets[mode] ??= mode === 'live' ? await createAccount(database) : await createTestKey(database);
        await postEmailCount(`http://127.0.0.1:${API_PORT}`, secrets[mode], WARM_UP + MESSAGES);
        await stop(api);
        rate[mode] = await rateOf(database, env);
      }
      rates.push({ live: rate.live ?? NaN, test: rate.test ?? NaN });
    }
    return {
      name: `simulate: messages/s of a test key, of a live one, queue on ${backend}`,
      ours: median(rates.map(({ test }) => test)),
      reference: median(rates.map(({ live }) => live)),
      ratio: median(rates.map(({ live, test }) => test / live)),
      aim: '≥ 1.0',
    };
  } finally {
    await stop(sink, 'SIGKILL');
    if (redis) await stop(redis);
    await database.stop();
  }
}

/** Measured from the end of the warm-up to the last recorded outcome. The worker ends when all reports are applied. */
async function rateOf(database: BenchDatabase, env: Record<string, string>): Promise<number> {
  const worker = startService({ ...env, ROLE: 'worker' });
  const start = await untilAtMost(database, 'pending_deliveries', MESSAGES);
  const end = await untilAtMost(database, 'pending_deliveries', 0);
  await untilAtMost(database, 'simulated_reports', 0);
  await stop(worker);
  return (start.count - end.count) / ((end.at - start.at) / 1_000);
}

async function untilAtMost(
  { pool }: BenchDatabase,
  table: string,
  limit: number,
): Promise<{ count: number; at: number }> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`);
    const count = rows[0]?.count ?? 0;
    if (count <= limit) return { count, at: performance.now() };
    await pause(POLL_MS);
  }
}
