import pg from 'pg';

import { chunk } from '../src/shared/collections.js';
import { newId } from '../src/shared/ids.js';
import { seedContacts } from './support/seed-contacts.js';
import { ADMIN, ADMIN_VARIABLES } from './support/admin-account.js';
import { type BenchDatabase, createAccount, startDatabase } from './support/environment.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { signIn } from './support/reader.js';
import { median, type Row } from './support/report.js';
import { type Person, upsertInto, upsertValues } from './support/upsert-contacts.js';

const ROUNDS = 3;
const CONTACTS = 40_000;
const WARM_UP = 4_000;
export const BATCH = 500;
const CONNECTIONS = 4;
const MILLION = 1_000_000;
const PORT = 41_747;
const URL = `http://127.0.0.1:${PORT}`;

/**
 * Contacts imported per second over HTTP, compared with an upsert of the same rows, directly and behind a bare route;
 * and reads of a million contacts.
 */
export async function benchContacts(): Promise<Row[]> {
  const database = await startDatabase();
  const service = startService({
    ROLE: 'api',
    PORT: String(PORT),
    DATABASE_URL: database.url,
    ...ADMIN_VARIABLES,
  });
  try {
    await untilReady(URL);
    return [...(await imports(database)), ...(await reads(database))];
  } finally {
    await stop(service);
    await database.stop();
  }
}

async function imports(database: BenchDatabase): Promise<Row[]> {
  const secret = await createAccount(database);
  await database.pool.query(REFERENCE_TABLE);
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client(database.url));
  await Promise.all(clients.map((client) => client.connect()));
  const { rows } = await database.pool.query<{ id: string }>('SELECT account_id AS id FROM api_keys LIMIT 1');
  const upsert = upsertInto('reference_contacts');
  const theirs = async (batch: Person[], worker: number) => {
    await clients[worker]?.query(upsert, upsertValues(rows[0]?.id ?? '', batch));
  };
  const bareAccountId = newId(new Date());
  await database.pool.query(BARE_ACCOUNT, [bareAccountId]);
  const bare = startProgram('.bench/bench/programs/bare-contacts.js', {
    DATABASE_URL: database.url,
    ACCOUNT_ID: bareAccountId,
  });
  const bareUrl = `http://127.0.0.1:${(await nextMessage<{ port: number }>(bare)).port}`;
  const floor = (batch: Person[]) => importBatch(bareUrl, secret, batch);
  const ours = (batch: Person[]) => importBatch(URL, secret, batch);
  const rates: { created: Rates; again: Rates }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const batches = chunk(people(round, round === 0 ? WARM_UP : CONTACTS), BATCH);
    const measure = async (): Promise<Rates> => ({
      reference: await perSecond(batches, theirs),
      ours: await perSecond(batches, ours),
      floor: await perSecond(batches, floor),
    });
    const [created, again] = [await measure(), await measure()];
    if (round > 0) rates.push({ created, again });
  }
  await stop(bare);
  await Promise.all(clients.map((client) => client.end()));
  const row = (what: 'created' | 'again', name: string, to: 'reference' | 'floor', aim: string): Row => ({
    name,
    ours: median(rates.map((rate) => rate[what].ours)),
    reference: median(rates.map((rate) => rate[what][to])),
    ratio: median(rates.map((rate) => rate[what].ours / rate[what][to])),
    aim,
  });
  const load = `batches of ${BATCH}, ${CONNECTIONS} connections`;
  return [
    row('created', `contacts: created/s, ${load}`, 'reference', '≥ 0.5, ≥ 10,000'),
    row('again', `contacts: re-imported/s, ${load}`, 'reference', '≥ 0.4, ≥ 10,000'),
    row('created', 'contacts: created/s relative to a bare route', 'floor', ''),
    row('again', 'contacts: re-imported/s relative to a bare route', 'floor', ''),
  ];
}

interface Rates {
  ours: number;
  reference: number;
  /** The rate of the bare route. */
  floor: number;
}

export async function perSecond(batches: Person[][], write: (batch: Person[], worker: number) => Promise<void>) {
  const left = [...batches];
  const start = performance.now();
  const work = async (worker: number) => {
    for (let batch = left.shift(); batch; batch = left.shift()) await write(batch, worker);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, worker) => work(worker)));
  return (batches.flat().length / (performance.now() - start)) * 1_000;
}

export async function importBatch(url: string, secret: string, contacts: Person[]): Promise<void> {
  const response = await fetch(`${url}/api/contacts/import`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ contacts }),
  });
  const { created, updated, skipped } = (await response.json()) as Record<string, number>;
  if (Number(created) + Number(updated) + Number(skipped) !== contacts.length || updated !== 0)
    throw new Error(`An import answered ${response.status}: ${created}, ${updated}, ${skipped}`);
}

const BARE_ACCOUNT = `
  INSERT INTO accounts (id, name, daily_send_cap, created_at, updated_at) VALUES ($1, 'Bare', 1, now(), now())`;

const REFERENCE_TABLE = 'CREATE TABLE reference_contacts (LIKE contacts INCLUDING ALL)';

/** In random order, as from a CRM. */
export const people = (round: number, count: number): Person[] =>
  Array.from({ length: count }, (_, i) => ({
    email: `${((i * 7_919) % count).toString(36)}.person${round}@company${i % 977}.example.com`,
    firstName: `First${i % 500}`,
    lastName: `Last${i % 3_001}`,
    company: `Company ${i % 977} Ltd`,
    tags: ['crm', `segment ${i % 20}`],
  }));

async function reads(database: BenchDatabase): Promise<Row[]> {
  const { accountId, account } = await signIn(URL, ADMIN);
  const listId = await seedContacts(database.pool, accountId, MILLION);
  const path = '/api/contacts?limit=25';
  const queries = [
    ['newest page', path, '≤ 20'],
    ['page 1,000', `${path}&page=1000`, ''],
    ['tag of half of them', `${path}&tag=half`, '≤ 20'],
    ['tag of a tenth', `${path}&tag=tenth`, '≤ 20'],
    ['tag of the oldest tenth', `${path}&tag=oldest`, '≤ 20'],
    ['tag of a thousand', `${path}&tag=rare`, '≤ 20'],
    ['list of a tenth', `${path}&listId=${listId}`, '≤ 20'],
    ['status of a fiftieth', `${path}&status=unsubscribed`, '≤ 20'],
    ['tag and status', `${path}&tag=tenth&status=unsubscribed`, ''],
    ['search for one person', `${path}&search=person777777`, ''],
    ['search for a company', `${path}&search=company%20123`, ''],
  ] as const;
  const rows: Row[] = [];
  for (const [name, query, aim] of queries)
    rows.push({ name: `contacts: ${name}, 1 M: p95 in ms`, ours: await account.p95(query), aim });
  return rows;
}
