import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

import { createAccount, startDatabase } from './support/environment.js';
import { postEmailCount } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

/** With latency the connections are idle most of the time, so that fewer messages take as long. */
const LOADS = {
  none: { messages: 10_000, warmUp: 5_000, latencyMs: 0 },
  fiftyMs: { messages: 2_000, warmUp: 500, latencyMs: 50 },
};
type Load = (typeof LOADS)[keyof typeof LOADS];

/** Mails to be received, and how many of them before the time is taken. */
export interface Mails {
  messages: number;
  warmUp: number;
}
const ROUNDS = 3;
const API_PORT = 41_732;
const REDIS_PORT = 41_733;

interface SinkReport {
  received: number;
  connections: number;
  ms: number;
}

/**
 * Messages per second of one worker to an SMTP sink, compared with nodemailer alone, on each available queue backend,
 * and with a bare worker.
 */
export async function benchDeliver(): Promise<Row[]> {
  const rows = await benchOn('PostgreSQL', LOADS.none);
  if (spawnSync('redis-server', ['--version']).status === 0) rows.push(...(await benchOn('Redis', LOADS.none)));
  return [...rows, ...(await benchOn('PostgreSQL', LOADS.fiftyMs))];
}

async function benchOn(backend: 'PostgreSQL' | 'Redis', load: Load): Promise<Row[]> {
  const database = await startDatabase();
  const sink = startProgram('.bench/bench/programs/smtp-sink.js', { LATENCY_MS: String(load.latencyMs) });
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
    const count = load.warmUp + load.messages;
    const rates: { ours: number; reference: number }[] = [];
    let secret: string | undefined;
    const accept = async () => {
      const api = startService({ ...env, ROLE: 'api', PORT: String(API_PORT) });
      await untilReady(`http://127.0.0.1:${API_PORT}`);
      secret ??= await createAccount(database);
      await postEmailCount(`http://127.0.0.1:${API_PORT}`, secret, count);
      await stop(api);
    };
    const rateOfBare = (name: string) =>
      rateOf(sink, load, () => startProgram(`.bench/bench/programs/${name}.js`, { ...env, COUNT: String(count) }));
    for (let round = 0; round < ROUNDS; round++) {
      await accept();
      const reference = await rateOfBare('bare-nodemailer');
      const ours = await rateOf(sink, load, () => startService({ ...env, ROLE: 'worker' }));
      rates.push({ ours, reference });
    }
    const ours = median(rates.map((rate) => rate.ours));
    const row = {
      name: `deliver: messages/s, queue on ${backend}${load.latencyMs > 0 ? `, ${load.latencyMs} ms relay latency` : ''}`,
      ours,
      reference: median(rates.map(({ reference }) => reference)),
      ratio: median(rates.map(({ ours, reference }) => ours / reference)),
      aim: '≥ 0.9',
    };
    if (redis || load !== LOADS.none) return [row];
    // Last, because it leaves the jobs of its messages to the service.
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await accept();
      floors.push(await rateOfBare('bare-delivery-worker'));
    }
    const reference = median(floors);
    return [row, { name: 'deliver: relative to a bare worker', ours, reference, ratio: ours / reference, aim: '' }];
  } finally {
    await stop(sink, 'SIGKILL');
    if (redis) await stop(redis);
    await database.stop();
  }
}

/** Mails per second, from the first after the warm-up to the last. `onReceived` is called before the sender ends. */
export async function rateOf(
  sink: ChildProcess,
  { messages, warmUp }: Mails,
  start: () => ChildProcess,
  onReceived?: (sender: ChildProcess) => Promise<void>,
): Promise<number> {
  sink.send({ count: messages, warmUp });
  const done = nextMessage<SinkReport>(sink);
  const sender = start();
  const { received, ms } = await done;
  await onReceived?.(sender);
  await stop(sender);
  return received / (ms / 1_000);
}
