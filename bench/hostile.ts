import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { HostileReport, HostileRequest } from './programs/hostile-clients.js';
import { type BenchDatabase, createAccount, HTML, SENDER, startDatabase } from './support/environment.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { post } from './support/reader.js';
import { median, quantile, type Row } from './support/report.js';

const PORT = 41_771;
const SERVICE = `http://127.0.0.1:${PORT}`;
const ADMIN = { email: 'hostile@example.com', password: 'a password for benchmarks' };
const SIGNING_KEY = 'a signing key for benchmarks';
const CONNECTIONS = 16;
const ROUNDS = 3;
const WARM_UP_SECONDS = 3;
/** The duration of each load; `--seconds=2` for a short run. */
const SECONDS = Number(process.argv.find((argument) => argument.startsWith('--seconds='))?.split('=')[1] ?? 10);
/** The pause between the sends of the other account. */
const BETWEEN_SENDS_MS = 20;
const ENDPOINTS = 8;
const EVENTS = 500;

interface Attack {
  name: string;
  /** Signatures are valid for minutes. */
  request: () => HostileRequest;
  /** What the service is busy with besides. */
  before?: () => Promise<void>;
}

/**
 * The p95 of another account's sends beside hostile requests of one account over sixteen connections, compared with
 * that beside ordinary sends that are refused, over as many.
 */
export async function benchHostile(): Promise<Row[]> {
  const database = await startDatabase();
  const receiver = startProgram('.bench/bench/programs/hint-receiver.js');
  const service = startService({
    ...{ ROLE: 'all', PORT: String(PORT), DATABASE_URL: database.url, DATABASE_POOL_SIZE: '20' },
    ...{ NODE_ENV: 'test', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }, // http endpoints on this machine
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
  try {
    const { port } = await nextMessage<{ port: number }>(receiver);
    await untilReady(SERVICE);
    const quiet = await createAccount(database);
    const { refused, attacks } = await openHostileAccount(database, `http://127.0.0.1:${port}`);
    await sendBeside(quiet, WARM_UP_SECONDS);
    const rows: Row[] = [];
    for (const attack of attacks) rows.push(await compare(quiet, attack, refused));
    return rows;
  } finally {
    await stop(service);
    await stop(receiver, 'SIGKILL');
    await database.stop();
  }
}

async function compare(quiet: string, attack: Attack, refused: () => HostileRequest): Promise<Row> {
  const rounds: { ours: number; reference: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const reference = await p95Beside(quiet, refused());
    if (reference === Infinity) throw new Error('Sends were refused beside ordinary ones');
    await attack.before?.();
    rounds.push({ reference, ours: await p95Beside(quiet, attack.request()) });
    await pause(500);
  }
  return {
    name: `hostile: p95 in ms of another account beside ${attack.name}`,
    ours: median(rounds.map(({ ours }) => ours)),
    reference: median(rounds.map(({ reference }) => reference)),
    ratio: median(rounds.map(({ ours, reference }) => ours / reference)),
    aim: '≤ 2',
  };
}

async function p95Beside(quiet: string, request: HostileRequest): Promise<number> {
  const clients = startProgram('.bench/bench/programs/hostile-clients.js', {
    ...{ CONNECTIONS: String(CONNECTIONS), SECONDS: String(SECONDS + 1) },
  });
  await nextMessage<'ready'>(clients);
  const report = reportOf(clients);
  clients.send(request);
  await pause(500);
  const durations = await sendBeside(quiet, SECONDS);
  const { statuses } = await report;
  if (Object.keys(statuses).some((status) => status === '401' || status === '403' || status === '404'))
    throw new Error(`${request.url} was not reached: ${JSON.stringify(statuses)}`);
  return quantile(durations, 0.95);
}

const reportOf = (clients: ChildProcess): Promise<HostileReport> => nextMessage<HostileReport>(clients);

/** One send after the other. Resolves with the time of each in milliseconds: infinite if it was refused as overload. */
async function sendBeside(secret: string, seconds: number): Promise<number[]> {
  const durations: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const startedAt = performance.now();
    const response = await fetch(`${SERVICE}/api/send/transactional`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ to: 'recipient@example.net', fromEmail: SENDER, subject: 'Your order', html: HTML }),
    });
    await response.arrayBuffer();
    if (!response.ok && response.status !== 503) throw new Error(`A send was answered with ${response.status}`);
    durations.push(response.ok ? performance.now() - startedAt : Infinity);
    await pause(BETWEEN_SENDS_MS);
  }
  return durations;
}

/** The account of the admin, with a key, a vendor that signs events, and webhooks to the hostile receiver. */
async function openHostileAccount(
  { pool }: BenchDatabase,
  receiver: string,
): Promise<{ refused: () => HostileRequest; attacks: Attack[] }> {
  const { accessToken } = await post<{ accessToken: string }>(`${SERVICE}/api/auth/login`, {}, ADMIN);
  const session = { authorization: `Bearer ${accessToken}` };
  const smtp = { host: 'relay.example', port: 587, vendor: 'generic', eventSigningKey: SIGNING_KEY };
  await send('PATCH', '/api/settings', session, { smtp });
  const { secret } = await post<{ secret: string }>(`${SERVICE}/api/api-keys`, session, {
    name: 'Bench',
    scopes: ['send'],
  });
  for (let n = 0; n < ENDPOINTS; n++)
    await post(`${SERVICE}/api/webhooks`, session, { url: `${receiver}/${n}`, events: ['contact.suppressed'] });
  const { rows: users } = await pool.query<{ accountId: string }>(
    'SELECT account_id AS "accountId" FROM users WHERE email = $1',
    [ADMIN.email],
  );
  const accountId = users[0]?.accountId ?? '';
  const sends = (mail: object) => (): HostileRequest => ({
    url: `${SERVICE}/api/send/transactional`,
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'a@example.net', fromEmail: 'nobody@example.net', subject: 'Hi', text: 'x', ...mail }),
  });
  const refused = sends({});
  const rows = '{{#items}}{{a}}{{b}}{{/items}}'; // seven steps for each item
  return {
    refused,
    attacks: [
      {
        name: 'CSV imports of 4 MB of very short rows',
        request: () => csvImport(session, `email\n${'a\n'.repeat(2_000_000)}`),
      },
      {
        name: 'CSV imports with a cell of 4 MB',
        request: () => csvImport(session, `email\n"${'a""'.repeat(1_300_000)}"\n`),
      },
      { name: 'sends with 95,000 variables', request: sends({ variables: fields(95_000) }) },
      { name: 'sends with as many values as are allowed', request: sends({ variables: lists(9_900) }) },
      { name: 'signed events of 100,000 fields', request: () => signedEvent(accountId) },
      {
        name: 'sends that take too many steps to render',
        request: sends({ html: rows, text: rows, variables: { items: Array(9_000).fill(1) } }),
      },
      {
        name: 'sends of 100,000 sections in a megabyte',
        request: sends({ html: '{{#a}}{{/a}}'.repeat(83_000), variables: {} }),
      },
      {
        name: 'sends of as many tags as are allowed',
        request: sends({ html: '{{#a}}{{/a}}'.repeat(5_000), text: '{{a}}'.repeat(10_000), variables: {} }),
      },
      {
        name: 'sends with a value of a megabyte of ampersands',
        request: sends({ html: '{{a}}', variables: { a: '&'.repeat(900_000) } }),
      },
      { name: 'sends of deep HTML', request: sends({ html: '<b>'.repeat(300_000) }) },
      {
        name: 'imports of 10 MB of backslashes',
        request: () => contactImport(session, `"${'\\\\'.repeat(4_900_000)}"`),
      },
      {
        name: 'imports of 390,000 objects',
        request: () => contactImport(session, Array(390_000).fill('{}').join()),
      },
      {
        name: 'webhooks to receivers that stream 103 responses',
        request: refused,
        before: () => suppress(session),
      },
    ],
  };
}

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));
const lists = (count: number) => ({ items: Array.from({ length: count }, () => 1) });

function csvImport(session: Record<string, string>, file: string): HostileRequest {
  const part = (name: string, value: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const parts = [part('mapping', '{"email":"email"}'), part('file', file, '; filename="a.csv"')];
  return {
    url: `${SERVICE}/api/contacts/import/csv`,
    headers: { ...session, 'content-type': 'multipart/form-data; boundary=b' },
    body: `${parts.join('')}--b--\r\n`,
  };
}

/** `contacts` in JSON. */
function contactImport(session: Record<string, string>, contacts: string): HostileRequest {
  return {
    url: `${SERVICE}/api/contacts/import`,
    headers: { ...session, 'content-type': 'application/json' },
    body: `{"contacts":[${contacts}]}`,
  };
}

function signedEvent(accountId: string): HostileRequest {
  const body = JSON.stringify({ id: 'e1', type: 'unknown', data: fields(100_000) }).slice(0, 999_999);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', SIGNING_KEY).update(`${timestamp}.${body}`).digest('hex');
  return {
    url: `${SERVICE}/api/provider-events/smtp/${accountId}`,
    headers: { 'content-type': 'application/json', 'x-signature': `t=${timestamp},v1=${signature}` },
    body,
  };
}

let suppressed = 0;

async function suppress(session: Record<string, string>): Promise<void> {
  const addresses = Array.from({ length: EVENTS }, () => `r${++suppressed}@example.net`);
  const response = await fetch(`${SERVICE}/api/suppressions/import`, {
    ...{
      method: 'POST',
      headers: { ...session, 'content-type': 'text/csv' },
      body: ['email', ...addresses].join('\n'),
    },
  });
  if (!response.ok) throw new Error(`An import was answered with ${response.status}`);
}

async function send(method: string, path: string, headers: Record<string, string>, body: object): Promise<void> {
  const all = { ...headers, 'content-type': 'application/json' };
  const response = await fetch(SERVICE + path, { method, headers: all, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
}
