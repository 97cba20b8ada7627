import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

import { createAccount, startDatabase } from './support/environment.js';
import { postEmailCount } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

const MESSAGES = 10_000;
const WARM_UP = 5_000;
const ROUNDS = 3;
const API_PORT = 41_732;
const REDIS_PORT = 41_733;

interface SinkReport {
  received: number;
  connections: number;
  ms: number;
}

/**
 * Messages per second of one worker to an SMTP sink, compared with nodemailer alone, on each available queue backend.
 */
export async function benchDeliver(): Promise<Row[]> {
  const rows = [await benchOn('PostgreSQL')];
  if (spawnSync('redis-server', ['--version']).status === 0) rows.push(await benchOn('Redis'));
  return rows;
}

async function benchOn(backend: 'PostgreSQL' | 'Redis'): Promise<Row> {
  const database = await startDatabase();
  const sink = startProgram('.bench/bench/programs/smtp-sink.js');
  const redis =
    backend === 'Redis'
      ? spawn('redis-server', ['--port', String(REDIS_PORT), '--save', ''], { stdio: 'ignore' })
      : null;
  try {
    const smtpUrl = `smtp://127.0.0.1:${(await nextMessage<{ port: number }>(sink)).port}`;
    const env = {
      DATABASE_URL: database.url,
      SMTP_URL: smtpUrl,
      ...(redis ? { REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}` } : {}),
    };
    const rates: { ours: number; reference: number }[] = [];
    let secret: string | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const api = startService({ ...env, ROLE: 'api', PORT: String(API_PORT) });
      await untilReady(`http://127.0.0.1:${API_PORT}`);
      secret ??= await createAccount(database);
      await postEmailCount(`http://127.0.0.1:${API_PORT}`, secret, WARM_UP + MESSAGES);
      await stop(api);
      const reference = await rateOf(sink, () =>
        startProgram('.bench/bench/programs/bare-nodemailer.js', {
          SMTP_URL: smtpUrl,
          COUNT: String(WARM_UP + MESSAGES),
        }),
      );
      const ours = await rateOf(sink, () => startService({ ...env, ROLE: 'worker' }));
      rates.push({ ours, reference });
    }
    return {
      name: `deliver: messages/s, queue on ${backend}`,
      ours: median(rates.map(({ ours }) => ours)),
      reference: median(rates.map(({ reference }) => reference)),
      ratio: median(rates.map(({ ours, reference }) => ours / reference)),
      aim: '≥ 0.6',
    };
  } finally {
    await stop(sink, 'SIGKILL');
    if (redis) await stop(redis);
    await database.stop();
  }
}

/** Measured from the first mail after the warm-up to the last. */
async function rateOf(sink: ChildProcess, start: () => ChildProcess): Promise<number> {
  sink.send({ count: MESSAGES, warmUp: WARM_UP });
  const done = nextMessage<SinkReport>(sink);
  const sender = start();
  const { received, ms } = await done;
  await stop(sender);
  return received / (ms / 1_000);
}
