import { setMaxListeners } from 'node:events';
import { Agent, get } from 'node:http';

import { hashSecret } from '../src/modules/keys/domain/api-key.js';
import { newId } from '../src/shared/ids.js';
import { type BenchDatabase, createAccount, startDatabase } from './support/environment.js';
import { postEmails } from './support/load.js';
import { startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

const ROUNDS = 4;
const SECONDS = 4;
const WARM_UP_SECONDS = 3;
const PORT = 41_734;
const CLIENTS = 1_000;
const ACCOUNTS = 100;
const EVENTS = 100;
const AIM_MS = 1_000;

/**
 * Accepted sends per second while clients wait for events, compared with none, and how long an event takes to a client:
 * each of the clients of its account among those that wait.
 */
export async function benchFeed(): Promise<Row[]> {
  const database = await startDatabase();
  const url = `http://127.0.0.1:${PORT}`;
  const variables = { ROLE: 'api', PORT: String(PORT), DATABASE_URL: database.url, DATABASE_POOL_SIZE: '20' };
  const service = startService(variables);
  try {
    await untilReady(url);
    const secret = await createAccount(database);
    const others: string[] = [];
    while (others.length < ACCOUNTS) others.push(await createAccount(database));
    await postEmails(url, secret, WARM_UP_SECONDS);
    const ofOthers = Array.from({ length: CLIENTS }, (_, i) => others[i % ACCOUNTS]!);
    return [
      await compare('of other accounts', url, secret, ofOthers),
      await compare('of this account', url, secret, ofOthers.map(() => secret)), // prettier-ignore
      await measureDelay(database, url, ofOthers, others),
    ];
  } finally {
    await stop(service);
    await database.stop();
  }
}

async function compare(whose: string, url: string, secret: string, secrets: readonly string[]): Promise<Row> {
  const rounds: { waiting: number; alone: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await postEmails(url, secret, SECONDS);
    const clients = await openClients(url, secrets, () => undefined);
    const waiting = await postEmails(url, secret, SECONDS);
    await clients.close();
    rounds.push({ waiting: waiting.perSecond, alone: alone.perSecond });
  }
  return {
    name: `accept: sends/s while ${CLIENTS} clients ${whose} wait for events`,
    ours: median(rounds.map(({ waiting }) => waiting)),
    reference: median(rounds.map(({ alone }) => alone)),
    ratio: median(rounds.map(({ waiting, alone }) => waiting / alone)),
    aim: '≥ 0.97',
  };
}

/** Cancels scheduled messages of the accounts in turn, and notes when each event has reached each client. */
async function measureDelay(
  database: BenchDatabase,
  url: string,
  secrets: readonly string[],
  accounts: readonly string[],
): Promise<Row> {
  const canceledAt = new Map<string, number>();
  const delays: number[] = [];
  const expected = (EVENTS * CLIENTS) / ACCOUNTS;
  const clients = await openClients(url, secrets, (messageId) => {
    const at = canceledAt.get(messageId);
    if (at !== undefined) delays.push(performance.now() - at);
  });
  for (let i = 0; i < EVENTS; i++) {
    const secret = accounts[i % accounts.length]!;
    const messageId = await addQueuedMessage(database, secret);
    canceledAt.set(messageId, performance.now());
    const headers = { 'x-api-key': secret };
    const response = await fetch(`${url}/api/messages/${messageId}/cancel`, { method: 'POST', headers });
    if (!response.ok) throw new Error(`A cancel was answered ${response.status}`);
  }
  for (let tries = 0; delays.length < expected && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await clients.close();
  if (delays.length !== expected) throw new Error(`${delays.length} of ${expected} events reached the clients`);
  const p95 = delays.sort((a, b) => a - b)[Math.floor(expected * 0.95)]!;
  return {
    name: `feed: ms from event to client (p95), ${CLIENTS} waiting`,
    ours: p95,
    reference: AIM_MS,
    ratio: p95 / AIM_MS,
    aim: '≤ 1',
  };
}

/** A message of the key that waits for its time. */
async function addQueuedMessage({ pool }: BenchDatabase, secret: string): Promise<string> {
  const id = newId(new Date());
  await pool.query(
    `WITH key AS (SELECT id, account_id FROM api_keys WHERE secret_hash = $2), log AS (
       INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, api_key_id,
         created_at)
       SELECT $1, account_id, 'email', 'queued', 'a@example.net', 'a@example.net', 'bench@example.com', id, now() FROM key)
     INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, scheduled_at)
     SELECT $1, account_id, 'email', t, t, t FROM key, (SELECT now() + interval '1 day' AS t) later`,
    [id, hashSecret(secret)],
  );
  return id;
}

interface Clients {
  close: () => Promise<void>;
}

/** Follows the feed with each of the keys. Resolves once all of them wait. */
async function openClients(
  url: string,
  secrets: readonly string[],
  onEvent: (messageId: string) => void,
): Promise<Clients> {
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();
  setMaxListeners(secrets.length * 2, closing.signal);
  const ask = (secret: string, query: string) =>
    askOnce(agent, `${url}/api/messages/events?${query}`, secret, closing.signal);
  const follow = async (secret: string, after: string) => {
    for (let cursor = after; ;) {
      const { items, nextCursor } = await ask(secret, `wait=30&limit=100&after=${cursor}`);
      for (const { messageLogId } of items) onEvent(messageLogId);
      cursor = nextCursor;
    }
  };
  const following: Promise<unknown>[] = [];
  for (const secret of secrets) {
    const { nextCursor } = await ask(secret, '');
    following.push(
      follow(secret, nextCursor).catch((error: unknown) => {
        if (!closing.signal.aborted) throw error;
      }),
    );
  }
  return {
    close: async () => {
      closing.abort();
      await Promise.all(following);
      agent.destroy();
    },
  };
}

interface Page {
  items: { messageLogId: string }[];
  nextCursor: string;
}

const askOnce = (agent: Agent, url: string, secret: string, signal: AbortSignal): Promise<Page> =>
  new Promise((resolve, reject) => {
    get(url, { agent, signal, headers: { 'x-api-key': secret } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as Page);
        else reject(new Error(`A client was answered ${response.statusCode}: ${text}`));
      });
    }).on('error', reject);
  });
