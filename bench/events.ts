import { newId } from '../src/shared/ids.js';
import { type BenchDatabase, createAccount, startDatabase } from './support/environment.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';
import { postAll, SesPosts } from './support/ses-posts.js';

const ROUNDS = 3;
const EVENTS = 5_000;
const WARM_UP = 1_000;
const CONNECTIONS = 64;
const BURST = 20_000;
const BURST_CONNECTIONS = 512;
const POOL_SIZE = '20';
const PORT = 41_741;

/**
 * Signed SES notifications stored per second, compared with a bare Express handler that verifies and inserts; and a
 * burst.
 */
export async function benchEvents(): Promise<Row[]> {
  const database = await startDatabase();
  const posts = await SesPosts.start();
  const service = startService({
    ROLE: 'api',
    PORT: String(PORT),
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: POOL_SIZE,
    SNS_SIGNING_CERT_HOSTS: '127.0.0.1',
  });
  const bare = startProgram('.bench/bench/programs/bare-sns.js', { DATABASE_URL: database.url, POOL_SIZE });
  try {
    const { port } = await nextMessage<{ port: number }>(bare);
    await untilReady(`http://127.0.0.1:${PORT}`);
    const accountId = await openAccount(database);
    const ours = `http://127.0.0.1:${PORT}/api/provider-events/ses/${accountId}`;
    const reference = `http://127.0.0.1:${port}/events`;
    const fresh = async (count: number) => posts.ofDeliveries(accountId, await addMessages(database, accountId, count));

    const rates: { ours: number; reference: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const some = await fresh(round === 0 ? WARM_UP : EVENTS);
      const [theirs, us] = [await postAll(reference, some, CONNECTIONS), await postAll(ours, some, CONNECTIONS)];
      if (theirs.failed + us.failed > 0) throw new Error(`${theirs.failed} and ${us.failed} posts failed`);
      if (round > 0) rates.push({ ours: us.perSecond, reference: theirs.perSecond });
    }
    const burst = await postAll(ours, await fresh(BURST), BURST_CONNECTIONS);
    await requireAllStored(database, WARM_UP + ROUNDS * EVENTS + BURST);
    return [
      {
        name: 'events: signed SES events stored/s, 64 connections',
        ours: median(rates.map((rate) => rate.ours)),
        reference: median(rates.map((rate) => rate.reference)),
        ratio: median(rates.map((rate) => rate.ours / rate.reference)),
        aim: '≥ 0.6',
      },
      { name: `events: refused of a burst of ${BURST}`, ours: burst.failed, aim: '0' },
      { name: 'events: stored/s in the burst, 512 connections', ours: burst.perSecond, aim: '' },
    ];
  } finally {
    await stop(service);
    await stop(bare);
    await posts.stop();
    await database.stop();
  }
}

async function openAccount(database: BenchDatabase): Promise<string> {
  await createAccount(database);
  const ses = { region: 'us-east-1', topicArn: SesPosts.topicArn, configurationSet: null, accessKeyId: null };
  const { rows } = await database.pool.query<{ id: string }>('UPDATE accounts SET ses = $1 RETURNING id', [ses]);
  return rows[0]?.id ?? '';
}

/** Adds messages that were just sent. */
export async function addMessages({ pool }: BenchDatabase, accountId: string, count: number): Promise<string[]> {
  const now = new Date();
  const ids = Array.from({ length: count }, () => newId(now));
  await pool.query(
    `INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, created_at,
       provider, provider_message_id)
     SELECT id, $2, 'email', 'sent', 'recipient@example.net', 'recipient@example.net', 'bench@example.com', $3, 'ses', 'ses-' || id
     FROM unnest($1::text[]) AS m (id)`,
    [ids, accountId, now],
  );
  return ids;
}

async function requireAllStored({ pool }: BenchDatabase, wanted: number): Promise<void> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM message_logs WHERE status = 'delivered'`,
  );
  if (rows[0]?.count !== wanted) throw new Error(`${rows[0]?.count} of ${wanted} events are stored`);
}
