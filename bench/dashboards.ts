import { setMaxListeners } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { hashSecret } from '../src/modules/keys/domain/api-key.js';
import { newId } from '../src/shared/ids.js';
import { type BenchDatabase, createAccount, startDatabase } from './support/environment.js';
import { postEmails } from './support/load.js';
import { startService, stop, untilReady } from './support/processes.js';
import { post } from './support/reader.js';
import { median, type Row } from './support/report.js';

const ROUNDS = 4;
const SECONDS = 4;
const WARM_UP_SECONDS = 3;
const PORT = 41_733;
const DASHBOARDS = 200;
/** As the dashboard does with the list of messages open and in focus, in `useLiveMessages`: the most that it polls. */
const POLL_EVERY_MS = 4_000;
const POLL_BUSY_EVERY_MS = 30_000;
const ADMIN = { email: 'admin@example.com', password: 'a password of eight or more' };
const LOGINS_AT_A_TIME = 8;

/** Accepted sends per second while dashboards of as many accounts are open, compared with none. */
export async function benchDashboards(): Promise<Row[]> {
  const database = await startDatabase();
  const url = `http://127.0.0.1:${PORT}`;
  const service = startService({
    ROLE: 'api',
    PORT: String(PORT),
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '20',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  try {
    await untilReady(url);
    const secret = await createAccount(database);
    const idle = await signInToAccounts(url, database);
    const token = await signInToAccountOf(url, database, secret);
    const busy = idle.map(() => token);
    await postEmails(url, secret, WARM_UP_SECONDS);
    const polled = ['/api/messages/version'];
    return [
      await compare(`accept: sends/s with ${DASHBOARDS} dashboards of other accounts`, url, secret, () =>
        openDashboards(url, idle, POLL_EVERY_MS, polled),
      ),
      await compare(`accept: sends/s with ${DASHBOARDS} dashboards of this account`, url, secret, () =>
        openDashboards(url, busy, POLL_BUSY_EVERY_MS, [...polled, '/api/messages?limit=50']),
      ),
    ];
  } finally {
    await stop(service);
    await database.stop();
  }
}

async function compare(name: string, url: string, secret: string, open: () => Dashboards): Promise<Row> {
  const rounds: { open: number; closed: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const closed = await postEmails(url, secret, SECONDS);
    const dashboards = open();
    const opened = await postEmails(url, secret, SECONDS);
    await dashboards.close();
    rounds.push({ open: opened.perSecond, closed: closed.perSecond });
  }
  return {
    name,
    ours: median(rounds.map((round) => round.open)),
    reference: median(rounds.map(({ closed }) => closed)),
    ratio: median(rounds.map((round) => round.open / round.closed)),
    aim: '≥ 0.97',
  };
}

/** One user in each of many accounts, with the password of the first admin. Returns their session tokens. */
async function signInToAccounts(url: string, database: BenchDatabase): Promise<string[]> {
  const emails = Array.from({ length: DASHBOARDS }, (_, i) => `admin${i}@example.com`);
  for (const email of emails) {
    const now = new Date();
    const accountId = newId(now);
    await database.pool.query(
      `INSERT INTO accounts (id, name, daily_send_cap, created_at, updated_at) VALUES ($1, 'Bench', 1000, $2, $2)`,
      [accountId, now],
    );
    await addUser(database, accountId, email);
  }
  const tokens: string[] = [];
  const waiting = [...emails];
  const signInNext = async () => {
    for (let email = waiting.pop(); email; email = waiting.pop()) tokens.push(await signIn(url, email));
  };
  await Promise.all(Array.from({ length: LOGINS_AT_A_TIME }, signInNext));
  return tokens;
}

/** A user of the account with this key. */
async function signInToAccountOf(url: string, database: BenchDatabase, secret: string): Promise<string> {
  const { rows } = await database.pool.query<{ account_id: string }>(
    'SELECT account_id FROM api_keys WHERE secret_hash = $1',
    [hashSecret(secret)],
  );
  const email = 'busy@example.com';
  await addUser(database, rows[0]?.account_id ?? '', email);
  return signIn(url, email);
}

const addUser = ({ pool }: BenchDatabase, accountId: string, email: string) =>
  pool.query(
    `INSERT INTO users SELECT (json_populate_record(u, json_build_object('id', $1::text, 'account_id', $2::text,
       'email', $3::text, 'normalised_email', $3::text))).* FROM users u WHERE u.email = $4`,
    [newId(new Date()), accountId, email, ADMIN.email],
  );

async function signIn(url: string, email: string): Promise<string> {
  const body = { email, password: ADMIN.password };
  return (await post<{ accessToken: string }>(`${url}/api/auth/login`, {}, body)).accessToken;
}

interface Dashboards {
  close: () => Promise<void>;
}

/** Reads the paths as that many browsers do, evenly spread over time. */
function openDashboards(url: string, tokens: readonly string[], everyMs: number, paths: readonly string[]): Dashboards {
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();
  setMaxListeners(tokens.length, closing.signal);
  const wait = async (ms: number) => {
    await pause(ms, undefined, { signal: closing.signal });
  };
  const read = async (token: string, i: number) => {
    await wait((i * everyMs) / tokens.length);
    for (;;) {
      for (const path of paths) await poll(agent, url + path, token);
      await wait(everyMs);
    }
  };
  const reading = tokens.map((token, i) =>
    read(token, i).catch((error: unknown) => {
      if (!closing.signal.aborted) throw error;
    }),
  );
  return {
    close: async () => {
      closing.abort();
      await Promise.all(reading);
      agent.destroy();
    },
  };
}

const poll = (agent: Agent, url: string, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get(url, { agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`A dashboard was answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });
