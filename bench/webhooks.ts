import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

import type { ReceiverReport } from './programs/webhook-receiver.js';
import { type BenchDatabase, startDatabase } from './support/environment.js';
import {
  ended,
  nextMessage,
  residentMegabytes,
  startProgram,
  startService,
  stop,
  untilReady,
} from './support/processes.js';
import { median, quantile, type Row } from './support/report.js';
import { type SubscribedAccount, subscribeAccounts } from './support/webhook-accounts.js';

const PORT = 41_753;
const SERVICE = `http://127.0.0.1:${PORT}`;
const ADMIN = { email: 'bench@example.com', password: 'a password for benchmarks' };
const EVENTS = 5_000;
const MANY = 50;
const ROUNDS = 3;
const STEADY_PER_SECOND = 50;
const STEADY_SECONDS = 20;
const STEADY_CONCURRENCY = 4;
const BURSTS = 6;
const IMPORTED_BESIDE = 20_000;
const ENDPOINTS_BESIDE = 5;
const BYSTANDER_EVENTS = 100;
const BETWEEN_EVENTS_MS = 100;
const IDLE_MS = 8_000;

const BARE_WORKER = '.bench/bench/programs/bare-webhook-worker.js';

const BESIDE = `webhooks: p95 delay beside an import of ${IMPORTED_BESIDE} to ${ENDPOINTS_BESIDE} endpoints of another account, ms`;

interface Bench {
  database: BenchDatabase;
  receiver: ChildProcess;
  receiverUrl: string;
  env: Record<string, string>;
}

/**
 * Webhooks per second of one worker compared with undici and with a bare worker, delays from suppression to first
 * attempt, and memory.
 */
export async function benchWebhooks(): Promise<Row[]> {
  const database = await startDatabase();
  const receiver = startProgram('.bench/bench/programs/webhook-receiver.js');
  const env = {
    DATABASE_URL: database.url,
    NODE_ENV: 'test', // http endpoints
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  };
  const api = startService({ ...env, ROLE: 'api', PORT: String(PORT) });
  try {
    const receiverUrl = `http://127.0.0.1:${(await nextMessage<{ port: number }>(receiver)).port}`;
    await untilReady(SERVICE);
    const accounts = await subscribeAccounts(database, SERVICE, ADMIN, receiverUrl, MANY);
    const bench = { database, receiver, receiverUrl, env };
    const one = accounts.slice(0, 1);
    return [
      ...(await throughput(bench, 'one endpoint', one)),
      ...(await throughput(bench, `${MANY} endpoints`, accounts)),
      ...(await delays(bench, one, accounts)),
    ];
  } finally {
    await stop(api);
    await stop(receiver, 'SIGKILL');
    await database.stop();
  }
}

/** Suppresses while no worker runs, and measures from the first post received to the last. */
async function throughput(bench: Bench, name: string, accounts: SubscribedAccount[]): Promise<Row[]> {
  const rates: { ours: number; worker: number; undici: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await suppress(accounts, EVENTS);
    const { connections, ...ours } = await measure(bench, () => startService({ ...bench.env, ROLE: 'worker' }));
    const settings = { URL: `${bench.receiverUrl}/0`, CONNECTIONS: String(connections), COUNT: String(EVENTS) };
    await suppress(accounts, EVENTS);
    const worker = await measure(bench, () => startProgram(BARE_WORKER, { ...bench.env, ...settings }), ended);
    const undici = await measure(bench, () => startProgram('.bench/bench/programs/bare-undici.js', settings), ended);
    rates.push({ ours: perSecond(ours), worker: perSecond(worker), undici: perSecond(undici) });
  }
  const relativeTo = (reference: 'worker' | 'undici') => ({
    ours: median(rates.map(({ ours }) => ours)),
    reference: median(rates.map((rate) => rate[reference])),
    ratio: median(rates.map((rate) => rate.ours / rate[reference])),
  });
  const figure = `webhooks: deliveries/s of ${EVENTS} events to ${name}`;
  return [
    { name: figure, ...relativeTo('undici'), aim: '≥ 0.5' },
    { name: `${figure}, relative to a bare worker`, ...relativeTo('worker'), aim: '' },
  ];
}

/** `end` leaves nothing unrecorded: it would be posted again, and count in another measurement. */
async function measure({ receiver }: Bench, start: () => ChildProcess, end = stop): Promise<ReceiverReport> {
  receiver.send({ count: EVENTS });
  const done = nextMessage<ReceiverReport>(receiver);
  const sender = start();
  const report = await done;
  await end(sender);
  return report;
}

/** With one running worker: delays of a steady flow and of imports, and memory after the imports. */
async function delays(bench: Bench, one: SubscribedAccount[], many: SubscribedAccount[]): Promise<Row[]> {
  const worker = startService({ ...bench.env, ROLE: 'worker' });
  const p95 = async (count: number, cause: () => Promise<void>) => {
    bench.receiver.send({ count });
    const done = nextMessage<ReceiverReport>(bench.receiver);
    await cause();
    return quantile((await done).delaysMs, 0.95);
  };
  const burst = (accounts: SubscribedAccount[]) => p95(EVENTS, () => suppress(accounts, EVENTS));
  try {
    await burst(many); // warm-up
    const steadily = await p95(STEADY_PER_SECOND * STEADY_SECONDS, () => suppressSteadily(many));
    const toOne = await burst(one);
    const toMany = await burst(many);
    await pause(IDLE_MS);
    const before = await residentMegabytes(worker);
    for (let i = 0; i < BURSTS; i++) await burst(i % 2 === 0 ? one : many);
    await pause(IDLE_MS);
    const after = await residentMegabytes(worker);
    const beside = quantile(await delaysBesideImport(bench, many), 0.95);
    return [
      { name: `webhooks: p95 delay, ${STEADY_PER_SECOND} events/s, ms`, ours: steadily, aim: '≤ 2000' },
      { name: `webhooks: p95 delay, import of ${EVENTS}, one endpoint, ms`, ours: toOne, aim: '≤ 2000' },
      { name: `webhooks: p95 delay, imports of ${EVENTS}, ${MANY} endpoints, ms`, ours: toMany, aim: '≤ 2000' },
      { name: BESIDE, ours: beside, aim: '≤ 2000' },
      {
        name: `webhooks: MB of a worker after ${BURSTS * EVENTS} more (reference: before)`,
        ours: after,
        reference: before,
        ratio: after / before,
        aim: '≈ 1',
      },
    ];
  } finally {
    await stop(worker);
  }
}

/** The delays of single events of one account during an import of another account with several endpoints. */
async function delaysBesideImport({ receiver }: Bench, [importer, bystander]: SubscribedAccount[]): Promise<number[]> {
  if (!importer || !bystander) throw new Error('Two accounts are required');
  await importer.addEndpoints(ENDPOINTS_BESIDE - 1);
  receiver.send({ count: BYSTANDER_EVENTS, path: bystander.path });
  const done = nextMessage<ReceiverReport>(receiver);
  const importing = importer.suppress(IMPORTED_BESIDE);
  for (let i = 0; i < BYSTANDER_EVENTS; i++) {
    await bystander.suppress(1);
    await pause(BETWEEN_EVENTS_MS);
  }
  await importing;
  return (await done).delaysMs;
}

async function suppress(accounts: SubscribedAccount[], count: number): Promise<void> {
  for (const account of accounts) await account.suppress(count / accounts.length);
}

/** With few concurrent calls, so that the benchmark measures the worker. */
async function suppressSteadily(accounts: SubscribedAccount[]): Promise<void> {
  const start = performance.now();
  let next = 0;
  const call = async () => {
    for (let i = next++; i < STEADY_PER_SECOND * STEADY_SECONDS; i = next++) {
      await pause(Math.max(0, start + (i * 1_000) / STEADY_PER_SECOND - performance.now()));
      await accounts[i % accounts.length]?.suppress(1);
    }
  };
  await Promise.all(Array.from({ length: STEADY_CONCURRENCY }, call));
}

const perSecond = ({ received, ms }: { received: number; ms: number }) => received / (ms / 1_000);
