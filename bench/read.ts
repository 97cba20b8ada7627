import type { ChildProcess } from 'node:child_process';

import type pg from 'pg';

import { createDataSource } from '../src/platform/database/data-source.js';
import { Database } from '../src/platform/database/database.js';
import type { MessageRollup } from '../src/modules/messages/application/ports/message-maintenance.js';
import { SqlMessageRollup } from '../src/modules/messages/infrastructure/retention/sql-message-rollup.js';
import { SqlMessagePartitions } from '../src/modules/messages/infrastructure/retention/sql-message-partitions.js';
import { DAY_MS, monthAfter } from '../src/shared/utc.js';
import { ADMIN, ADMIN_VARIABLES } from './support/admin-account.js';
import { startDatabase } from './support/environment.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';
import { Caller, type Reader, signIn } from './support/reader.js';
import { type History, seedHistory } from './support/seed.js';

const PORT = 41_736;
const MILLION = 1_000_000;
const URL = `http://127.0.0.1:${PORT}`;
const DEEP = 10_000;
const ROUNDS = 5;
const LIST = '/api/messages?limit=25';

/** Durations of reads over HTTP with a million messages, and with N million if `--millions=N` is given. */
export async function benchRead(): Promise<Row[]> {
  const millions = process.argv.find((argument) => argument.startsWith('--millions='))?.split('=')[1];
  const sizes = millions ? [MILLION, Number(millions) * MILLION] : [MILLION];
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
    ...ADMIN_VARIABLES,
  });
  const dataSource = createDataSource(database.url, [], 2);
  const programs: ChildProcess[] = [];
  try {
    await untilReady(URL);
    await dataSource.initialize();
    const partitions = new SqlMessagePartitions(new Database(dataSource));
    await partitions.ensure(monthAfter(new Date(), -13), 14);
    const callers = await signIn(URL, ADMIN);
    const history = await withoutFlushing(database.pool, () => seedHistory(database.pool, callers, size));
    await withoutFlushing(database.pool, () => rollUp(database.pool, new SqlMessageRollup(new Database(dataSource))));
    const vacuumed = await secondsOf(() => database.pool.query('VACUUM ANALYZE'));
    const suffix = `${size / MILLION} M`;
    const rows: Row[] = [
      ...(await diskSpace(database.pool, suffix)),
      { name: `read: VACUUM ANALYZE in s, ${suffix}`, ours: vacuumed, aim: '' },
    ];
    const start = async (program: string) => {
      const env = { DATABASE_URL: database.url, ACCOUNT_ID: callers.accountId };
      const child = startProgram(`.bench/bench/programs/${program}.js`, env);
      programs.push(child);
      return `http://127.0.0.1:${(await nextMessage<{ port: number }>(child)).port}`;
    };
    const express = new Caller(await start('bare-list'), {});
    const nest = new Caller(await start('bare-nest-list'), callers.key.headers);
    const { reference, pages } = await newestPages(express, [
      { name: 'newest page of a key, Nest with one SELECT', caller: nest, aim: '' },
      { name: 'newest page of a key', caller: callers.key, aim: '≤ 10, ≤ 2 ×' },
      { name: 'newest page of the account', caller: callers.account, aim: '≤ 10, ≤ 2 ×' },
    ]);
    for (const { name, ...figures } of pages) rows.push({ name: `read: ${name}, ${suffix}: p95 in ms`, ...figures });
    for (const { name, caller, path, aim } of await queries(callers, history)) {
      const ours = await caller.p95(path);
      rows.push({ name: `read: ${name}, ${suffix}: p95 in ms`, ours, reference, ratio: ours / reference, aim });
    }
    const purged = secondsOf(() => partitions.dropMonthsBefore(monthAfter(new Date(), -9)));
    const whilePurging = await callers.key.p95('/api/messages');
    return [
      ...rows,
      { name: `read: newest page while months are dropped, ${suffix}: p95 in ms`, ours: whilePurging, aim: '≤ 10' },
      { name: `read: dropping four months in s, ${suffix}`, ours: await purged, aim: '' },
    ];
  } finally {
    for (const program of programs) await stop(program);
    if (dataSource.isInitialized) await dataSource.destroy();
    await stop(service);
    await database.stop();
  }
}

/** Each in turn with the reference, so that all meet the same load of the machine; medians of the rounds. */
async function newestPages(
  express: Caller,
  lists: readonly { name: string; caller: Caller; aim: string }[],
): Promise<{ reference: number; pages: Row[] }> {
  const references: number[] = [];
  const rounds = lists.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    references.push(await express.p95('/messages'));
    for (const [i, { caller }] of lists.entries()) rounds[i]?.push(await caller.p95(LIST));
  }
  const pages = lists.map(({ name, aim }, i) => {
    const durations = rounds[i] ?? [];
    const ratio = median(durations.map((ours, round) => ours / (references[round] ?? NaN)));
    return { name, ours: median(durations), reference: median(references), ratio, aim };
  });
  return { reference: median(references), pages };
}

/** Without waiting for the disk: what is seeded need not survive a crash. */
async function withoutFlushing<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const settings = { fsync: 'off', full_page_writes: 'off', max_wal_size: "'4GB'" };
  for (const [name, value] of Object.entries(settings)) await pool.query(`ALTER SYSTEM SET ${name} = ${value}`);
  await pool.query('SELECT pg_reload_conf()');
  const result = await work();
  for (const name of Object.keys(settings)) await pool.query(`ALTER SYSTEM RESET ${name}`);
  await pool.query('SELECT pg_reload_conf()');
  await pool.query('CHECKPOINT');
  return result;
}

/** Disk space with indexes, over all partitions. */
async function diskSpace(pool: pg.Pool, suffix: string): Promise<Row[]> {
  const { rows } = await pool.query<{ name: string; total: number; indexes: number }>(`
    SELECT p.relname AS name, sum(pg_total_relation_size(inhrelid)) / 1e9::float8 AS total,
      sum(pg_indexes_size(inhrelid)) / 1e9::float8 AS indexes
    FROM pg_inherits JOIN pg_class p ON p.oid = inhparent AND p.relkind = 'p'
    WHERE p.relname IN ('message_logs', 'email_events', 'message_search_texts') GROUP BY p.relname ORDER BY p.relname`);
  return rows.flatMap(({ name, total, indexes }) => [
    { name: `read: ${name} in GB, ${suffix}`, ours: total, aim: '' },
    { name: `read: indexes of ${name} in GB, ${suffix}`, ours: indexes, aim: '' },
  ]);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

/** Does the work of the schedule without its pauses. */
async function rollUp(pool: pg.Pool, rollup: MessageRollup): Promise<void> {
  for (;;) {
    await rollup.rollUpCountsAcrossAccounts();
    await rollup.indexTextsAcrossAccounts();
    const { rows } = await pool.query('SELECT FROM message_search_backlog LIMIT 1');
    if (rows.length === 0) break;
  }
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
  const aggregate = '/api/messages/aggregate?';
  const deep = `${LIST}&cursor=${await key.cursorAt(DEEP)}`;
  return [
    { name: 'page of a rare status', caller: account, path: `${LIST}&status=complained`, aim: '≤ 10' },
    { name: 'page of two statuses in a month', caller: key, path: `${LIST}&status=sent,failed&${month}`, aim: '≤ 10' },
    { name: 'page 10,000 rows deep', caller: key, path: deep, aim: '≤ 10' },
    { name: 'search for a rare word', caller: account, path: `${LIST}&search=${rareWord}`, aim: '≤ 100' },
    { name: 'search for a recipient', caller: key, path: `${LIST}&search=0a1b2`, aim: '' },
    { name: 'search for a frequent word', caller: key, path: `${LIST}&search=order`, aim: '' },
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
