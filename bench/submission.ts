import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { selfSignedCertificate } from '../test/support/fake-aws/certificate.js';
import { type BenchDatabase, createAccount, startDatabase } from './support/environment.js';
import { longestDelay } from './support/event-loop.js';
import { type LoadResult, postEmails } from './support/load.js';
import { nextMessage, residentMegabytes, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const SESSIONS = 64;
const IDLE = 2_000;
const POOL_SIZE = '20';
const [PORT, SMTP_PORT, SMTPS_PORT] = [41_751, 41_752, 41_753];
const CLIENTS = '.bench/bench/programs/submission-clients.js';
const LARGE_BYTES = 10_000_000;
const LARGE_ROUNDS = 5;

/** Mails accepted by SMTP, compared with sends over HTTP and with bare smtp-server; the cost of idle connections. */
export async function benchSubmission(): Promise<Row[]> {
  const database = await startDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'bench-tls-'));
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const validity = { notBefore: new Date('2020-01-01'), notAfter: new Date('2049-01-01') };
  await writeFile(key, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(cert, selfSignedCertificate(keys, 'bench.example', validity));
  const variables = {
    ...{ ROLE: 'api', PORT: String(PORT), DATABASE_URL: database.url, DATABASE_POOL_SIZE: POOL_SIZE },
    ...{ SMTP_PORT: String(SMTP_PORT), SMTPS_PORT: String(SMTPS_PORT), SMTP_TLS_CERT: cert, SMTP_TLS_KEY: key },
    ...{ SMTP_ALLOW_PLAINTEXT_AUTH: 'true', SMTP_MAX_CONNECTIONS: '3000' },
  };
  try {
    let secret = '';
    const accepting = await withService(variables, async () => {
      secret = await createAccount(database);
      return benchAccepting(database, secret);
    });
    const large = await withService(variables, async () => [await benchLarge(database)]);
    return [...accepting, ...large, ...(await withService(variables, (service) => benchIdle(service, secret)))];
  } finally {
    await database.stop();
    await rm(directory, { recursive: true });
  }
}

/** Each part has a process of its own: what is left of another load would be taken for memory. */
async function withService(
  env: Record<string, string>,
  work: (service: ChildProcess) => Promise<Row[]>,
): Promise<Row[]> {
  const service = startService(env);
  try {
    await untilReady(`http://127.0.0.1:${PORT}`);
    return await work(service);
  } finally {
    await stop(service);
  }
}

async function benchAccepting(database: BenchDatabase, secret: string): Promise<Row[]> {
  const bare = startProgram('.bench/bench/programs/bare-smtp.js', { DATABASE_URL: database.url, POOL_SIZE });
  try {
    const { port } = await nextMessage<{ port: number }>(bare);
    const url = `http://127.0.0.1:${PORT}`;
    await submit(port, secret, WARM_UP_SECONDS);
    await postEmails(url, secret, WARM_UP_SECONDS);
    await submit(SMTP_PORT, secret, WARM_UP_SECONDS);
    const rounds: Record<'http' | 'smtp' | 'bare', LoadResult>[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({
        bare: await submit(port, secret, SECONDS),
        http: await postEmails(url, secret, SECONDS),
        smtp: await submit(SMTP_PORT, secret, SECONDS),
      });
    const row = (name: string, figure: keyof LoadResult, to: 'http' | 'bare', aim: string): Row => ({
      name,
      ours: median(rounds.map(({ smtp }) => smtp[figure])),
      reference: median(rounds.map((round) => round[to][figure])),
      ratio: median(rounds.map((round) => round.smtp[figure] / round[to][figure])),
      aim,
    });
    return [
      row('submission: mails/s, 64 sessions, 1 KB (reference: accept)', 'perSecond', 'http', '≥ 0.6'),
      row('submission: p99 in ms (reference: accept)', 'p99Ms', 'http', '≤ 3'),
      row('submission: mails/s (reference: bare smtp-server)', 'perSecond', 'bare', ''),
    ];
  } finally {
    await stop(bare, 'SIGKILL');
  }
}

/** Four at once, two of an account, as many as the memory for large bodies holds; after a round that warms up. */
async function benchLarge(database: BenchDatabase): Promise<Row> {
  const secrets = [await createAccount(database), await createAccount(database)].join();
  const url = `http://127.0.0.1:${PORT}`;
  const arrive = async (rounds: number) => {
    const more = { SECRETS: secrets, CLIENTS: '2', ROUNDS: String(rounds), BYTES: String(LARGE_BYTES) };
    const env = { PORT: String(SMTP_PORT), ...more };
    await nextMessage<'done'>(startProgram('.bench/bench/programs/large-mails.js', env));
  };
  await arrive(1);
  await longestDelay(url);
  await arrive(LARGE_ROUNDS);
  const ours = await longestDelay(url);
  return { name: 'submission: longest event-loop delay with four mails of 10 MB at once, ms', ours, aim: '≤ 50' };
}

/** With TLS and a key each. Others submit meanwhile, one mail every 10 ms. */
async function benchIdle(service: ChildProcess, secret: string): Promise<Row[]> {
  const one = { SESSIONS: '1', PAUSE_MS: '10' };
  const alone = await submit(SMTP_PORT, secret, SECONDS, one);
  const before = await residentMegabytes(service);
  const clients = startClients(SMTP_PORT, secret, SECONDS, {
    ...one,
    IDLE: String(IDLE),
    TLS_PORT: String(SMTPS_PORT),
  });
  await nextMessage<'idle'>(clients);
  const after = await residentMegabytes(service);
  clients.send('go');
  const beside = await nextMessage<Submitted>(clients);
  return [
    { name: 'submission: memory of 2,000 idle connections with TLS, MB', ours: after - before, aim: '≤ 100' },
    {
      name: 'submission: median in ms beside 2,000 idle connections (reference: alone)',
      ours: beside.medianMs,
      reference: alone.medianMs,
      ratio: beside.medianMs / alone.medianMs,
      aim: '≤ 1.5',
    },
  ];
}

type Submitted = LoadResult & { medianMs: number };

const submit = (port: number, secret: string, seconds: number, more: Record<string, string> = {}): Promise<Submitted> =>
  nextMessage<Submitted>(startClients(port, secret, seconds, more));

const startClients = (port: number, secret: string, seconds: number, more: Record<string, string>): ChildProcess =>
  startProgram(CLIENTS, {
    ...{ PORT: String(port), SECRET: secret, SECONDS: String(seconds), SESSIONS: String(SESSIONS) },
    ...more,
  });
