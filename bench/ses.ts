import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { CONNECTIONS_PER_AWS_ACCOUNT } from '../src/config/limits.js';
import { type BenchDatabase, createAccount, startDatabase, useEmailProvider } from './support/environment.js';
import { postEmailCount } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

const PORT = 41_737;
const MESSAGES = 4_000;
const ROUNDS = 3;
const UNLIMITED = 100_000;
const LIMIT = 50;
const LIMITED_SECONDS = 30;

interface Report {
  received: number;
  connections: number;
  ms: number;
}

/**
 * Messages per second of one worker to SES with a latency of 0 and 50 ms, and how precisely two workers keep a rate.
 */
export async function benchSes(): Promise<Row[]> {
  const database = await startDatabase();
  const ses = startProgram('.bench/bench/programs/fake-ses.js');
  try {
    const { port } = await nextMessage<{ port: number }>(ses);
    const env = {
      DATABASE_URL: database.url,
      AWS_ENDPOINT_URL_SESV2: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'AKIABENCH',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
    const post = prepare(database, env);
    return [
      ...(await throughput(ses, env, post, 0, '≥ 500')),
      ...(await throughput(ses, env, post, 50, '≥ 450')),
      ...(await limited(ses, env, post)),
    ];
  } finally {
    await stop(ses, 'SIGKILL');
    await database.stop();
  }
}

type Post = (count: number) => Promise<void>;

/** Prepares an account that sends through SES. Messages are accepted while no worker runs. */
function prepare(database: BenchDatabase, env: Record<string, string>): Post {
  let secret: string | undefined;
  return async (count) => {
    const api = startService({ ...env, ROLE: 'api', PORT: String(PORT) });
    await untilReady(`http://127.0.0.1:${PORT}`);
    secret ??= await createAccount(database);
    await useEmailProvider(database, 'ses');
    await postEmailCount(`http://127.0.0.1:${PORT}`, secret, count);
    await stop(api);
  };
}

async function throughput(
  ses: ChildProcess,
  env: Record<string, string>,
  post: Post,
  latencyMs: number,
  aim: string,
): Promise<Row[]> {
  ses.send({ latencyMs, maxSendRate: UNLIMITED });
  const reports: Report[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await post(MESSAGES);
    ses.send(MESSAGES);
    const done = nextMessage<Report>(ses);
    const worker = startService({ ...env, ROLE: 'worker' });
    reports.push(await done);
    await stop(worker);
  }
  const perSecond = reports.map(({ received, ms }) => received / (ms / 1_000));
  const connections = Math.max(...reports.map((report) => report.connections));
  return [
    { name: `ses: messages/s, answers after ${latencyMs} ms`, ours: median(perSecond), aim },
    {
      name: `ses: connections, answers after ${latencyMs} ms`,
      ours: connections,
      aim: `≤ ${CONNECTIONS_PER_AWS_ACCOUNT}`,
    },
  ];
}

async function limited(ses: ChildProcess, env: Record<string, string>, post: Post): Promise<Row[]> {
  ses.send({ latencyMs: 0, maxSendRate: LIMIT });
  await post(LIMIT * (LIMITED_SECONDS + 10));
  ses.send(UNLIMITED);
  const workers = [1, 2].map(() => startService({ ...env, ROLE: 'worker' }));
  const times = await (async () => {
    for (;;) {
      await pause(1_000);
      ses.send('times');
      const [came] = (await once(ses, 'message')) as [number[]];
      if ((came.at(-1) ?? 0) - (came[0] ?? 0) > LIMITED_SECONDS * 1_000) return came;
    }
  })();
  await Promise.all(workers.map((worker) => stop(worker)));
  const start = times[0] ?? 0;
  const within = times.filter((at) => at < start + LIMITED_SECONDS * 1_000).length;
  const inOneSecond = times.map((at) => times.filter((other) => other >= at && other < at + 1_000).length);
  return [
    {
      name: `ses: % used of ${LIMIT}/s by two workers, 30 s`,
      ours: (100 * within) / (LIMIT * LIMITED_SECONDS),
      aim: '90 to 100',
    },
    { name: `ses: most in any second of ${LIMIT}/s`, ours: Math.max(...inOneSecond), aim: `≤ ${LIMIT}` },
  ];
}
