import autocannon from 'autocannon';

import { readEnvironment } from '../src/config/env.js';
import { resolveConfig } from '../src/config/resolve-config.js';
import { EncryptedConfirmLinks } from '../src/modules/forms/infrastructure/encrypted-confirm-links.js';
import { newId } from '../src/shared/ids.js';
import { ADMIN_VARIABLES, openAdminAccount } from './support/admin-account.js';
import { SENDER, startDatabase } from './support/environment.js';
import { postEmails } from './support/load.js';
import { startService, stop, untilReady } from './support/processes.js';
import { post } from './support/reader.js';
import { median, type Row } from './support/report.js';

const PORT = 41_765;
const ROUNDS = 5;
const REQUESTS = 3_000;
const SECONDS = 4;
const CONNECTIONS = 128;
const APP_SECRET = 'a secret for benchmarks, which has more than 32 characters';

/**
 * Confirmations per second of people who press the button of their page, each with a contact, a list member and a
 * record, compared with accepted sends of the same service, in turns.
 */
export async function benchConfirmations(): Promise<Row> {
  const database = await startDatabase();
  const url = `http://127.0.0.1:${PORT}`;
  const variables = { DATABASE_URL: database.url, BASE_URL: url, APP_SECRET };
  const service = startService({ ...variables, ...ADMIN_VARIABLES, ROLE: 'api', PORT: String(PORT) });
  try {
    await untilReady(url);
    const { accountId, session, key } = await openAdminAccount(url, database);
    const list = await post<{ id: string }>(`${url}/api/lists`, session, { name: 'News' });
    const plan = { name: 'News', listIds: [list.id], wording: 'Yes, send me news', fromEmail: SENDER };
    const form = await post<{ id: string }>(`${url}/api/forms`, session, plan);
    const links = new EncryptedConfirmLinks(await resolveConfig(readEnvironment(variables), database.url));
    const confirm = async (count: number) => {
      const ids = Array.from({ length: count }, () => newId(new Date()));
      await database.pool.query(SIGN_UP, [accountId, form.id, ids]);
      return confirmAll(
        url,
        ids.map((signupId) => new URL(links.linkTo({ accountId, signupId })).pathname),
      );
    };
    const accept = async () => (await postEmails(url, key, SECONDS, CONNECTIONS)).perSecond;
    await confirm(REQUESTS);
    await accept();
    await database.pool.query('ANALYZE'); // autovacuum does it within a minute
    const rounds: Record<'ours' | 'reference', number>[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ reference: await accept(), ours: await confirm(REQUESTS) });
    const { rows } = await database.pool.query<{ count: number }>(COUNT, [accountId]);
    if (rows[0]?.count !== (ROUNDS + 1) * REQUESTS) throw new Error(`${rows[0]?.count} consents were recorded`);
    return {
      name: 'consent: confirmations/s (reference: accepted sends)',
      ours: median(rounds.map(({ ours }) => ours)),
      reference: median(rounds.map(({ reference }) => reference)),
      ratio: median(rounds.map(({ ours, reference }) => ours / reference)),
      aim: '≥ 0.5',
    };
  } finally {
    await stop(service);
    await database.stop();
  }
}

/** Presses the button of each page once. Returns how many per second; autocannon itself ends at a full second. */
async function confirmAll(url: string, paths: readonly string[]): Promise<number> {
  let next = 0;
  const start = performance.now();
  let end = start;
  const onResponse = () => (end = performance.now());
  const { non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    amount: paths.length,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'confirm=yes',
        setupRequest: (request) => ({ ...request, path: paths[next++] ?? '/' }),
        onResponse,
      },
    ],
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors at ${url}`);
  return (paths.length / (end - start)) * 1_000;
}

/** $1 account, $2 form, $3 ids. */
const SIGN_UP = `
  INSERT INTO form_signups (id, account_id, form_id, wording_version, email, normalised_email, language, ip, state,
    message_log_id, created_at)
  SELECT id, $1, $2, 1, id || '@example.net', id || '@example.net', 'en', '192.0.2.1', 'mailed', id, now()
  FROM unnest($3::text[]) id`;

const COUNT = `SELECT count(*)::integer AS count FROM consent_records WHERE account_id = $1 AND action = 'granted'`;
