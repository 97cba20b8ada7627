import type pg from 'pg';

import { createDataSource } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';
import type { MessageRollup } from '../src/modules/messages/application/ports/message-maintenance.js';
import { SqlMessageRollup } from '../src/modules/messages/infrastructure/retention/sql-message-rollup.js';
import { SqlMessagePartitions } from '../src/modules/messages/infrastructure/retention/sql-message-partitions.js';
import { DAY_MS, monthAfter } from '../src/shared/utc.js';
import { startDatabase } from './support/environment.js';
import { startService, stop, untilReady } from './support/processes.js';
import type { Row } from './support/report.js';
import { type Caller, type Reader, signIn } from './support/reader.js';
import { type History, seedHistory } from './support/seed.js';

const PORT = 41_736;
const MILLION = 1_000_000;
const URL = `http://127.0.0.1:${PORT}`;
const ADMIN = { email: 'admin@example.com', password: 'a password for benchmarks' };
const DEEP = 10_000;

/** Durations of reads over HTTP with a million messages, and with ten million if `--ten-million` is given. */
export async function benchRead(): Promise<Row[]> {
  const sizes = process.argv.includes('--ten-million') ? [MILLION, 10 * MILLION] : [MILLION];
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await readAt(size)));
  return rows;
}

async function readAt(size: number): Promise<Row[]> {
  const database = await startDatabase();
  const service = startService({
    ROLE: 'all',
    PORT: String(PORT),
    DATABASE_URL: database.url,
    MESSAGE_RETENTION_MONTHS: '0',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  const dataSource = createDataSource(database.url, [], 2);
  try {
    await untilReady(URL);
    await dataSource.initialize();
    const partitions = new SqlMessagePartitions(new Database(dataSource));
    await partitions.ensure(monthAfter(new Date(), -13), 14);
    const callers = await signIn(URL, ADMIN);
    const history = await seedHistory(database.pool, callers, size);
    await untilRolledUp(database.pool, new SqlMessageRollup(new Database(dataSource)));
    const suffix = `${size / MILLION} M: p95 in ms`;
    const rows: Row[] = [];
    for (const { name, caller, path, aim } of await queries(callers, history))
      rows.push({ name: `read: ${name}, ${suffix}`, ours: await caller.p95(path), aim });
    const purged = partitions.dropMonthsBefore(monthAfter(new Date(), -9));
    const whilePurging = await callers.key.p95('/api/messages');
    await purged;
    return [
      ...rows,
      { name: `read: newest page while months are dropped, ${suffix}`, ours: whilePurging, aim: '≤ 10' },
    ];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await stop(service);
    await database.stop();
  }
}

/** Does the work of the schedule without its pauses. */
async function untilRolledUp(pool: pg.Pool, rollup: MessageRollup): Promise<void> {
  for (;;) {
    await rollup.rollUpCountsAcrossAccounts();
    await rollup.indexTextsAcrossAccounts();
    const { rows } = await pool.query('SELECT FROM message_search_backlog LIMIT 1');
    if (rows.length === 0) break;
  }
  await pool.query('VACUUM ANALYZE');
}

interface Query {
  name: string;
  caller: Caller;
  path: string;
  aim: string;
}

/** The account sees all messages, its key 90 % of them. */
async function queries({ account, key }: Reader, { rareWord, campaignId, days }: History): Promise<Query[]> {
  const daysAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString();
  const month = `from=${daysAgo(days / 2 + 30)}&to=${daysAgo(days / 2)}`;
  const list = '/api/messages?limit=25';
  const aggregate = '/api/messages/aggregate?';
  const deep = `${list}&cursor=${await key.cursorAt(DEEP)}`;
  return [
    { name: 'newest page of the account', caller: account, path: list, aim: '≤ 10' },
    { name: 'newest page of a key', caller: key, path: list, aim: '≤ 10' },
    { name: 'page of a rare status', caller: account, path: `${list}&status=complained`, aim: '≤ 10' },
    { name: 'page of two statuses in a month', caller: key, path: `${list}&status=sent,failed&${month}`, aim: '≤ 10' },
    { name: 'page 10,000 rows deep', caller: key, path: deep, aim: '≤ 10' },
    { name: 'search for a rare word', caller: account, path: `${list}&search=${rareWord}`, aim: '≤ 100' },
    { name: 'search for a recipient', caller: key, path: `${list}&search=0a1b2`, aim: '' },
    { name: 'search for a frequent word', caller: key, path: `${list}&search=order`, aim: '' },
    { name: 'aggregate of the account', caller: account, path: aggregate, aim: '≤ 50' },
    {
      name: 'aggregate of 100,000 of a campaign',
      caller: key,
      path: `${aggregate}campaignId=${campaignId}`,
      aim: '≤ 50',
    },
    { name: 'aggregate of 30 days, cut by hours', caller: account, path: aggregate + month, aim: '≤ 50' },
  ];
}
