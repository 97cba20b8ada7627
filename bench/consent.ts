import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import { LIST_STANDING } from '../src/modules/consent/infrastructure/consent.sql.js';
import { newId } from '../src/shared/ids.js';
import { benchConfirmations } from './confirmations.js';
import { ADMIN_VARIABLES, openAdminAccount } from './support/admin-account.js';
import { type BenchDatabase, SENDER, startDatabase } from './support/environment.js';
import { startService, stop, untilReady } from './support/processes.js';
import { inTurns, median, quantile, type Row } from './support/report.js';
import { seedAudience } from './support/seed-audience.js';

const CONTACTS = 1_000_000;
/** With those of the contacts. */
const RECORDS = 10_000_000;
const CHUNK = 1_000_000;
const LOOK_UPS = 5_000;
const COUNTS = 5;
const POLL_MS = 100;
const PORT = 41_753;
const URL = `http://127.0.0.1:${PORT}`;

/**
 * The standing consent of one address among ten million records, compared with a bare SELECT by the key; and writing
 * and counting an audience of a million with consent required, compared with the same without. Before, confirmations.
 */
export async function benchConsent(): Promise<Row[]> {
  const confirmations = await benchConfirmations();
  const database = await startDatabase();
  const service = startService({
    PORT: String(PORT),
    DATABASE_URL: database.url,
    ...ADMIN_VARIABLES,
  });
  try {
    await untilReady(URL);
    const { accountId, session } = await openAdminAccount(URL, database);
    await seedAudience(database.pool, accountId, { contacts: CONTACTS, listed: 0 });
    for (let from = 0; from < RECORDS; from += CHUNK) {
      const owner = from === 0 ? accountId : newId(new Date());
      await database.pool.query(ACCOUNT, [owner]);
      for (const statement of [RECORD, STAND])
        await database.pool.query(statement, [owner, newId(new Date()), from, from + CHUNK]);
    }
    await database.pool.query('VACUUM ANALYZE consent_records, standing_consents');
    return [confirmations, await lookUps(database, accountId), ...(await audiences(session))];
  } finally {
    await stop(service);
    await database.stop();
  }
}

/** In turns, so that both find the same pages in memory. */
async function lookUps(database: BenchDatabase, accountId: string): Promise<Row> {
  const client = new pg.Client(database.url);
  await client.connect();
  const measure = async (name: string, text: string, values: unknown[]) => {
    const start = performance.now();
    const { rows } = await client.query({ name, text, values });
    if (rows.length === 0) throw new Error(`${name} found nothing`);
    return performance.now() - start;
  };
  const ours: number[] = [];
  const reference: number[] = [];
  const { rows } = await client.query<{ address: string }>(ADDRESSES_OF, [accountId, LOOK_UPS]);
  for (const { address } of rows) {
    reference.push(await measure('bare', BARE, [accountId, address]));
    ours.push(await measure('standing', LIST_STANDING, [accountId, 'email', address, 'none']));
  }
  await client.end();
  const [p95, bare] = [quantile(ours, 0.95), quantile(reference, 0.95)];
  const name = 'consent: what stands for one address, 10 M records: p95 in ms, a bare SELECT by key';
  return { name, ours: p95, reference: bare, ratio: p95 / bare, aim: '≤ 2' };
}

/** In turns, with consent required and without. */
async function audiences(session: Record<string, string>): Promise<Row[]> {
  const headers = { ...session, 'content-type': 'application/json' };
  const request = async (method: string, path: string, body?: object) => {
    const response = await fetch(URL + path, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { id: string; progress: { recipients: number } };
  };
  const draft = async () => {
    const plan = { name: 'News', fromEmail: SENDER, subject: 'News', text: '{{unsubscribeUrl}}', maxPerMinute: 1 };
    return (await request('POST', '/api/campaigns', { ...plan, audience: { tags: ['all'] } })).id;
  };
  const count = (id: string) => request('GET', `/api/campaigns/${id}/audience`);
  const write = async (id: string) => {
    await request('POST', `/api/campaigns/${id}/start`, {});
    while ((await request('GET', `/api/campaigns/${id}`)).progress.recipients < CONTACTS) await pause(POLL_MS);
  };
  const measure = async (name: string, rounds: number, work: (id: string) => Promise<unknown>): Promise<Row> => {
    const times = { none: [] as number[], campaigns: [] as number[] };
    for (let round = 0; round < rounds; round++)
      for (const requiredFor of inTurns(round, ['none', 'campaigns'] as const)) {
        await request('PATCH', '/api/settings', { consent: { requiredFor } });
        const id = await draft();
        const start = performance.now();
        await work(id);
        times[requiredFor].push(performance.now() - start);
        await request('POST', `/api/campaigns/${id}/cancel`, {}).catch(() => null); // a draft cannot be canceled
      }
    const [ours, reference] = [median(times.campaigns), median(times.none)];
    return { name: `consent: ${name}, ms, without`, ours, reference, ratio: ours / reference, aim: '≤ 1.3' };
  };
  return [
    await measure('audience of 1 M written with consent required', 2, write),
    await measure('audience of 1 M counted with consent required', COUNTS, count),
  ];
}

const ACCOUNT = `
  INSERT INTO accounts (id, name, daily_send_cap, created_at, updated_at) VALUES ($1, 'Bench', 1, now(), now())
  ON CONFLICT DO NOTHING`;

const ADDRESSES_OF = `
  SELECT address FROM standing_consents WHERE account_id = $1 AND channel = 'email' ORDER BY consent_id LIMIT $2`;

/** $1 account, $2 an id of this month, $3 and $4 range of numbers: first those of the contacts. */
const ADDRESSES = `
  SELECT n, left($2, 9) || lpad(n::text, 16, '0') AS id,
    CASE WHEN n < ${CONTACTS} THEN md5(n::text) || '.person' || n || '@company' || n % 977 || '.example.org'
      ELSE 'record' || n - ${CONTACTS} || '@example.net' END AS email
  FROM generate_series($3::integer, $4::integer - 1) n`;

const RECORD = `
  INSERT INTO consent_records (id, account_id, channel, address, purpose, action, source, occurred_at, recorded_at,
    wording_text, ip, actor_type)
  SELECT id, $1, 'email', email, 'marketing', 'granted', 'import', now(), now(), 'Yes, send me news', '192.0.2.1', 'user'
  FROM (${ADDRESSES}) a`;

const STAND = `
  INSERT INTO standing_consents (account_id, channel, address, purpose, topic_id, state, occurred_at, consent_id)
  SELECT $1, 'email', email, 'marketing', '', CASE WHEN n % 10 = 0 THEN 'withdrawn' ELSE 'granted' END, now(), id
  FROM (${ADDRESSES}) a`;

const BARE = `
  SELECT state FROM standing_consents
  WHERE account_id = $1 AND channel = 'email' AND address = $2 AND purpose = 'marketing' AND topic_id = ''`;
