import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

import { type BenchDatabase, createAccount, HTML, SENDER, startDatabase } from './support/environment.js';
import { longestDelay } from './support/event-loop.js';
import { bodyWithAttachment, type LoadResult, postBodies } from './support/load.js';
import { nextMessage, residentMegabytes, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, quantile, type Row } from './support/report.js';

const ROUNDS = 3;
const SECONDS = 6;
const WARM_UP_SECONDS = 3;
const POOL_SIZE = '20';
const [ACCEPT_PORT, DELIVER_PORT, LARGE_PORT] = [41_741, 41_742, 41_743];
const BYTES = 100_000;
const LARGE_BYTES = 10_000_000;
const LARGE_CLIENTS = 64;
const LARGE_SECONDS = 15;
const SMALL_EVERY_MS = 20;
const LARGE_MAILS = 5;
const MAILS = 3_000;
const WARM_UP_MAILS = 500;

/** Sends with attachments: of 100 kB compared with references, and of 10 MB by 64 clients at once. */
export async function benchAttachments(): Promise<Row[]> {
  const database = await startDatabase();
  try {
    return [...(await benchAccepting(database)), await benchDelivering(database), ...(await benchLarge(database))];
  } finally {
    await database.stop();
  }
}

async function benchAccepting(database: BenchDatabase): Promise<Row[]> {
  const env = { DATABASE_URL: database.url };
  const service = startService({ ...env, ROLE: 'api', PORT: String(ACCEPT_PORT), DATABASE_POOL_SIZE: POOL_SIZE });
  const bare = startProgram('.bench/bench/programs/bare-attachments.js', { ...env, POOL_SIZE });
  try {
    const { port } = await nextMessage<{ port: number }>(bare);
    const [ours, reference] = [`http://127.0.0.1:${ACCEPT_PORT}`, `http://127.0.0.1:${port}`];
    await untilReady(ours);
    const secret = await createAccount(database);
    const body = bodyWithAttachment(BYTES);
    for (const url of [reference, ours]) await postBodies(url, secret, body, { duration: WARM_UP_SECONDS });
    const rounds: { ours: LoadResult; reference: LoadResult }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({
        reference: await postBodies(reference, secret, body, { duration: SECONDS }),
        ours: await postBodies(ours, secret, body, { duration: SECONDS }),
      });
    return [
      {
        name: 'attachments: accepted sends/s with 100 kB, 64 connections',
        ours: median(rounds.map((round) => round.ours.perSecond)),
        reference: median(rounds.map((round) => round.reference.perSecond)),
        ratio: median(rounds.map((round) => round.ours.perSecond / round.reference.perSecond)),
        aim: '≥ 0.5',
      },
    ];
  } finally {
    await stop(service);
    await stop(bare);
    await forgetMessages(database);
  }
}

async function benchDelivering(database: BenchDatabase): Promise<Row> {
  const sink = startProgram('.bench/bench/programs/smtp-sink.js');
  const smtpUrl = `smtp://127.0.0.1:${(await nextMessage<{ port: number }>(sink)).port}`;
  const env = { DATABASE_URL: database.url, SMTP_URL: smtpUrl };
  const secret = await createAccount(database);
  try {
    const rates: { ours: number; reference: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const api = startService({ ...env, ROLE: 'api', PORT: String(DELIVER_PORT) });
      const url = `http://127.0.0.1:${DELIVER_PORT}`;
      await untilReady(url);
      await postBodies(url, secret, bodyWithAttachment(BYTES), { amount: WARM_UP_MAILS + MAILS });
      await stop(api);
      const bare = { SMTP_URL: smtpUrl, COUNT: String(WARM_UP_MAILS + MAILS), ATTACHMENT_BYTES: String(BYTES) };
      const reference = await rateOf(sink, () => startProgram('.bench/bench/programs/bare-nodemailer.js', bare));
      rates.push({ reference, ours: await rateOf(sink, () => startService({ ...env, ROLE: 'worker' })) });
    }
    return {
      name: 'attachments: delivered mails/s with 100 kB',
      ours: median(rates.map(({ ours }) => ours)),
      reference: median(rates.map(({ reference }) => reference)),
      ratio: median(rates.map(({ ours, reference }) => ours / reference)),
      aim: '≥ 0.7',
    };
  } finally {
    await stop(sink, 'SIGKILL');
    await forgetMessages(database);
  }
}

/** Measured from the first mail after the warm-up to the last. */
async function rateOf(sink: ChildProcess, start: () => ChildProcess): Promise<number> {
  sink.send({ count: MAILS, warmUp: WARM_UP_MAILS });
  const done = nextMessage<{ received: number; ms: number }>(sink);
  const sender = start();
  const { received, ms } = await done;
  await stop(sender);
  return received / (ms / 1_000);
}

/** One process accepts and delivers. Other sends of the same account go on meanwhile, one at a time. */
async function benchLarge(database: BenchDatabase): Promise<Row[]> {
  const sink = startProgram('.bench/bench/programs/smtp-sink.js');
  const { port } = await nextMessage<{ port: number }>(sink);
  const service = startService({
    PORT: String(LARGE_PORT),
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  });
  try {
    const url = `http://127.0.0.1:${LARGE_PORT}`;
    await untilReady(url);
    const secret = await createAccount(database);
    await sendSmall(url, secret, () => pause(3_000));
    const alone = await sendSmall(url, secret, () => pause(5_000));
    const delays = await measureDelays(url, secret);
    let statuses: Record<string, number> = {};
    let peak = 0;
    const meanwhile = await sendSmall(url, secret, async () => {
      const clients = startProgram('.bench/bench/programs/large-clients.js', {
        ...{ URL: url, SECRET: secret, BYTES: String(LARGE_BYTES) },
        ...{ CLIENTS: String(LARGE_CLIENTS), SECONDS: String(LARGE_SECONDS) },
      });
      const watch = setInterval(() => void residentMegabytes(service).then((mb) => (peak = Math.max(peak, mb))), 100);
      statuses = await nextMessage<Record<string, number>>(clients);
      clearInterval(watch);
    });
    const others = Object.keys(statuses).filter((status) => !['201', '503'].includes(status));
    if (others.length > 0) throw new Error(`Other statuses: ${others.join(', ')}`);
    const [p95, p95Alone] = [quantile(meanwhile, 0.95), quantile(alone, 0.95)];
    return [
      {
        name: 'attachments: longest event-loop delay with 10 MB, one at a time, ms (reference: idle)',
        ours: delays.busy,
        reference: delays.idle,
        aim: '≤ idle + 10',
      },
      { name: 'attachments: peak memory with 64 clients × 10 MB, MB', ours: peak, aim: '≤ 600' },
      { name: 'attachments: of these accepted (the others 503)', ours: statuses[201] ?? 0, aim: '> 0' },
      {
        name: 'attachments: p95 of small sends meanwhile, ms (reference: alone)',
        ours: p95,
        reference: p95Alone,
        ratio: p95 / p95Alone,
        aim: '≤ 3',
      },
    ];
  } finally {
    await stop(service);
    await stop(sink, 'SIGKILL');
  }
}

/** The longest delay of the event loop of an idle process, and while it accepts and delivers large mails. */
async function measureDelays(url: string, secret: string): Promise<{ idle: number; busy: number }> {
  const body = Buffer.from(bodyWithAttachment(LARGE_BYTES));
  const sendLarge = async () => {
    for (let i = 0; i < LARGE_MAILS; i++) {
      const status = await post(url, secret, body);
      if (status !== 201) throw new Error(`A large send got ${status}`);
      await pause(1_000); // until it is delivered
    }
  };
  await sendLarge();
  const measure = async (work: () => Promise<void>) => {
    await longestDelay(url);
    await work();
    return longestDelay(url);
  };
  return { idle: await measure(() => pause(LARGE_MAILS * 1_000)), busy: await measure(sendLarge) };
}

/** The durations of small sends, in milliseconds, while `work` runs. */
async function sendSmall(url: string, secret: string, work: () => Promise<void>): Promise<number[]> {
  const body = Buffer.from(
    JSON.stringify({ to: 'r@example.net', fromEmail: SENDER, subject: 'Your order', html: HTML }),
  );
  const durations: number[] = [];
  const done = new AbortController();
  const sending = (async () => {
    while (!done.signal.aborted) {
      const startedAt = performance.now();
      const status = await post(url, secret, body);
      if (status !== 201) throw new Error(`A small send got ${status}`);
      durations.push(performance.now() - startedAt);
      await pause(SMALL_EVERY_MS);
    }
  })();
  await work();
  done.abort();
  await sending;
  return durations;
}

async function post(url: string, secret: string, body: Buffer): Promise<number> {
  const response = await fetch(`${url}/api/send/transactional`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}

/** The messages of one part must not slow down the next one. */
async function forgetMessages({ pool }: BenchDatabase): Promise<void> {
  await pool.query(
    'TRUNCATE message_logs, message_contents, message_attachments, pending_deliveries, message_search_backlog',
  );
}
