import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

import { idTime } from '../src/shared/ids.js';
import type { Arrivals } from './programs/smtp-sink.js';
import { ADMIN_VARIABLES, openAdminAccount } from './support/admin-account.js';
import { type BenchDatabase, HTML, SENDER, startDatabase } from './support/environment.js';
import { postEmailCount } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { post } from './support/reader.js';
import { quantile, type Row } from './support/report.js';
import { seedAudience } from './support/seed-audience.js';

const RECIPIENTS = 100_000;
const MILLION = 1_000_000;
const WARM_UP = 5_000;
const SINGLE_MESSAGES = 10_000;
const SINGLE_PER_SECOND = 20;
const SINGLE_SECONDS = 15;
const PORT = 41_735;
const URL = `http://127.0.0.1:${PORT}`;
const TIMED_DOMAIN = '@timed.example.net';
const POLL_MS = 250;
const MAX_POLLS = 240;
/** Until a campaign has its full rate, and until the last mail has arrived. */
const SETTLE_MS = 5_000;

interface Bench {
  database: BenchDatabase;
  sink: ChildProcess;
  /** The variables of every process. */
  env: Record<string, string>;
  session: Record<string, string>;
  key: string;
  listId: string;
}

interface Campaign {
  id: string;
  status: string;
  progress: { recipients: number };
}

/**
 * A campaign on one worker that also sends single messages: its rate, compared with single messages alone; how much it
 * delays them; how soon it stops; and what its audience costs.
 */
export async function benchCampaigns(): Promise<Row[]> {
  const database = await startDatabase();
  const sink = startProgram('.bench/bench/programs/smtp-sink.js');
  const smtpUrl = `smtp://127.0.0.1:${(await nextMessage<{ port: number }>(sink)).port}`;
  const env = { DATABASE_URL: database.url, SMTP_URL: smtpUrl };
  const api = startService({ ...env, ...ADMIN_VARIABLES, ROLE: 'api', PORT: String(PORT) });
  try {
    await untilReady(URL);
    const bench = { database, sink, env, ...(await prepare(database)) };
    return [
      ...(await rates(bench)),
      ...(await withWorker(bench, () => precedence(bench))),
      ...(await withWorker(bench, () => audience(bench))),
    ];
  } finally {
    await stop(api);
    await stop(sink, 'SIGKILL');
    await database.stop();
  }
}

async function prepare(database: BenchDatabase): Promise<Pick<Bench, 'session' | 'key' | 'listId'>> {
  const { accountId, session, key } = await openAdminAccount(URL, database);
  const listId = await seedAudience(database.pool, accountId, { contacts: MILLION, listed: RECIPIENTS });
  return { session, key, listId };
}

/** The campaign runs between two measurements of single messages, which `deliver` measures as well. */
async function rates(bench: Bench): Promise<Row[]> {
  const before = await singleRate(bench);
  const bytesBefore = await storedBytes(bench);
  const ours = await rateOf(bench, RECIPIENTS - WARM_UP, () => start(bench, { listIds: [bench.listId] }));
  const bytes = (await storedBytes(bench)) - bytesBefore;
  const reference = (before + (await singleRate(bench))) / 2;
  return [
    { name: 'campaigns: messages/s, 100,000 recipients', ours, reference, ratio: ours / reference, aim: '≥ 0.9' },
    { name: 'campaigns: bytes per recipient besides log and events', ours: bytes / RECIPIENTS, aim: '≤ 2,000' },
  ];
}

async function singleRate(bench: Bench): Promise<number> {
  await postEmailCount(URL, bench.key, WARM_UP + SINGLE_MESSAGES);
  return rateOf(bench, SINGLE_MESSAGES);
}

/** Measured from the first mail after the warm-up to the last. */
async function rateOf({ sink, env }: Bench, count: number, begin?: () => Promise<unknown>): Promise<number> {
  sink.send({ count, warmUp: WARM_UP });
  const done = nextMessage<{ ms: number }>(sink);
  const worker = startService({ ...env, ROLE: 'worker' });
  await begin?.();
  const { ms } = await done;
  await stop(worker);
  return count / (ms / 1_000);
}

async function storedBytes({ database }: Bench): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: string }>(STORED_BYTES);
  return Number(rows[0]?.bytes);
}

/** The tables with their indexes, and without the partitions of log and events. */
const STORED_BYTES = `
  SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname IN ('public', 'bullmq') AND c.relname !~ '^(message_logs|email_events)'`;

async function withWorker<T>({ env }: Bench, work: () => Promise<T>): Promise<T> {
  const worker = startService({ ...env, ROLE: 'worker', PORT: String(PORT + 1) });
  try {
    await untilReady(`http://127.0.0.1:${PORT + 1}`);
    return await work();
  } finally {
    await stop(worker);
  }
}

/** Single messages while no campaign runs, and during one, which is then paused. */
async function precedence(bench: Bench): Promise<Row[]> {
  await singleDelay(bench); // warms up
  const alone = await singleDelay(bench);
  const { id } = await start(bench, { listIds: [bench.listId] });
  await pause(SETTLE_MS);
  const ours = await singleDelay(bench);
  const { status } = await post<Campaign>(`${URL}/api/campaigns/${id}/pause`, bench.session, {});
  const pausedAt = Date.now();
  if (status !== 'paused') throw new Error(`The campaign is ${status}`);
  await pause(SETTLE_MS);
  const { last } = await arrivals(bench.sink);
  await post(`${URL}/api/campaigns/${id}/cancel`, bench.session, {});
  return [
    {
      name: `campaigns: p95 from acceptance to submission of ${SINGLE_PER_SECOND} single messages/s, ms`,
      ours,
      reference: alone,
      ratio: ours / alone,
      aim: '≤ 1.5',
    },
    { name: 'campaigns: last submission after pause, ms', ours: last - pausedAt, aim: '≤ 2,000' },
  ];
}

/** The 95th percentile from acceptance to the relay, in milliseconds. */
async function singleDelay({ sink, key }: Bench): Promise<number> {
  sink.send({ count: Infinity, timedDomain: TIMED_DOMAIN });
  const acceptedAt = new Map<string, number>();
  const sends: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < SINGLE_PER_SECOND * SINGLE_SECONDS; count++) {
    await pause(Math.max(0, startedAt + (count * 1_000) / SINGLE_PER_SECOND - performance.now()));
    sends.push(sendSingle(key, `r${count}${TIMED_DOMAIN}`, acceptedAt));
  }
  await Promise.all(sends);
  for (let tries = 0; tries < MAX_POLLS; tries++) {
    const { timed } = await arrivals(sink);
    const delays = [...acceptedAt].map(([to, at]) => (timed[to] ?? NaN) - at);
    if (!delays.some(Number.isNaN)) return quantile(delays, 0.95);
    await pause(POLL_MS);
  }
  throw new Error('Some single messages have not arrived');
}

async function sendSingle(key: string, to: string, acceptedAt: Map<string, number>): Promise<void> {
  const mail = { to, fromEmail: SENDER, subject: 'Your password', html: HTML };
  const url = `${URL}/api/send/transactional`;
  const { messageLogId } = await post<{ messageLogId: string }>(url, { 'x-api-key': key }, mail);
  acceptedAt.set(to, idTime(messageLogId).getTime());
}

async function arrivals(sink: ChildProcess): Promise<Arrivals> {
  const answer = nextMessage<Arrivals>(sink);
  sink.send('arrivals');
  return answer;
}

/** How long it takes to write the audience of a campaign to a million contacts. */
async function audience(bench: Bench): Promise<Row[]> {
  const startedAt = performance.now();
  const { id } = await start(bench, { tags: ['all'] });
  const seen = new Set<number>();
  let recipients = 0;
  while (recipients < MILLION) {
    await pause(POLL_MS);
    const response = await fetch(`${URL}/api/campaigns/${id}`, { headers: bench.session });
    ({ recipients } = ((await response.json()) as Campaign).progress);
    seen.add(recipients);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await post(`${URL}/api/campaigns/${id}/cancel`, bench.session, {});
  return [
    { name: 'campaigns: audience of 1 M written, seconds', ours: seconds, aim: '≤ 60' },
    { name: 'campaigns: different counts shown meanwhile', ours: seen.size, aim: '≥ 10' },
  ];
}

const start = ({ session }: Bench, audience: object): Promise<Campaign> => startCampaign(URL, session, audience);

export async function startCampaign(url: string, session: Bench['session'], audience: object): Promise<Campaign> {
  const { id } = await post<Campaign>(`${url}/api/campaigns`, session, {
    name: 'Newsletter',
    fromEmail: SENDER,
    subject: 'News for {{firstName}}',
    html: `${HTML}<p>{{firstName}} {{lastName}}, {{company}}: <a href="{{unsubscribeUrl}}">unsubscribe</a></p>`,
    audience,
  });
  return post<Campaign>(`${url}/api/campaigns/${id}/start`, session, {});
}
