import type { ChaosAccount } from '../accounts.js';
import type { ChaosDatabase } from '../database.js';
import type { Campaigns } from '../campaigns.js';
import type { Environment } from '../environment.js';
import type { Load } from '../load.js';
import type { OptOuts } from '../opt-outs.js';
import type { Erasures } from '../erasures.js';
import type { ProviderReports } from '../provider-reports.js';
import { ERASED_DOMAIN } from './addresses.js';
import type { CopyRecords } from './copies.js';
import type {
  AddressOfAccount,
  Cap,
  Disturbances,
  ErasureEvidence,
  Evidence,
  MessageRow,
  WebhookDelivery,
} from './evidence.js';

interface Observers {
  load: Load;
  reports: ProviderReports;
  optOuts: OptOuts;
  disturbances: Disturbances;
  copies: CopyRecords;
  campaigns: Campaigns;
  erasures: Erasures | undefined;
}

/** Combines the observations of clients, providers and receiver with the contents of the tables. */
export async function collect(
  { database, processes, receiver, endpoints, answers, accounts, overloads }: Environment,
  { load, reports, optOuts, disturbances, copies, campaigns, erasures }: Observers,
  unfinished: string[],
): Promise<Evidence> {
  return {
    sends: load.sends,
    schedules: load.schedules,
    suppressedSends: load.suppressedSends,
    suppressionCauses: [...load.suppressedByHand, ...campaigns.unsubscribed, ...reports.causes, ...optOuts.causes],
    answers,
    overloads,
    outages: disturbances.outages,
    locks: disturbances.locks,
    awsOutages: disturbances.awsOutages,
    disruptions: disturbances.disruptions,
    processLosses: disturbances.processLosses,
    reported: reports.reported,
    copies,
    endpoints,
    memory: processes.memory(),
    exits: processes.exits,
    unfinished,
    posts: receiver.posts(),
    campaigns: await campaigns.results(),
    deletedContacts: campaigns.deletedContacts,
    erasures: await findErasures(database, erasures),
    caps: await findCaps(database, Object.values(accounts)),
    messages: readMessages(database),
    suppressions: await database.query<AddressOfAccount>(SUPPRESSIONS),
    deliveries: await database.query<WebhookDelivery>(DELIVERIES),
  };
}

async function findCaps(database: ChaosDatabase, accounts: readonly ChaosAccount[]): Promise<Cap[]> {
  const rows = await database.query<{ id: string; used: number; days: number }>(USAGE);
  const usage = new Map(rows.map((row) => [row.id, row]));
  const capOf = (subject: Cap['subject'], id: string, limit: number): Cap => {
    const { used = 0, days = 1 } = usage.get(id) ?? {};
    return { subject, id, limit: limit * days, used };
  };
  return accounts.flatMap(({ id, cap, keys }) => [
    capOf('account', id, cap),
    ...keys.flatMap((key) => (key.dailyLimit === null ? [] : [capOf('key', key.id, key.dailyLimit)])),
  ]);
}

async function findErasures(database: ChaosDatabase, erasures: Erasures | undefined): Promise<ErasureEvidence> {
  const traces: string[] = [];
  for (const { name } of await database.query<{ name: string }>(TABLES)) {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${name} t
       WHERE strpos(t::text, $1) > 0 OR strpos(t::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
      [ERASED_DOMAIN],
    );
    if (row && row.count > 0) traces.push(`${name}: ${row.count} rows`);
  }
  const [suppressed] = await database.query<{ hashes: number }>(HASHES);
  return { people: erasures?.people ?? [], mails: erasures?.mails ?? [], traces, hashes: suppressed?.hashes ?? 0 };
}

const TABLES = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY name`;

const HASHES = 'SELECT count(*)::integer AS hashes FROM suppressions WHERE address IS NULL';

/** Reads all messages in batches. */
async function* readMessages(database: ChaosDatabase): AsyncGenerator<MessageRow> {
  for (let after = ''; ;) {
    const rows = await database.query<MessageRow>(MESSAGES, [after, BATCH_SIZE]);
    yield* rows;
    if (rows.length < BATCH_SIZE) return;
    after = rows[rows.length - 1]!.id;
  }
}

const BATCH_SIZE = 5_000;

/** A run may span several days. */
const USAGE =
  'SELECT subject_id AS id, sum(used)::integer AS used, count(*)::integer AS days FROM daily_usage GROUP BY subject_id';

/** A response that begins with an SMTP code or an AWS refusal means that the message was not accepted. */
const REFUSED = '^[245]\\d\\d|^TooManyRequests|^Throttl|cannot be reached|ECONNREFUSED|^Internal error';

/** $1: the last id of the previous batch, $2: batch size. */
const MESSAGES = `
  SELECT m.id, m.account_id AS "accountId", m.api_key_id AS "keyId", m.campaign_id AS "campaignId", m.recipient, m.status, m.opens,
    extract(epoch FROM m.created_at)::float8 * 1000 AS "createdAt",
    m.provider_message_id AS "providerMessageId",
    coalesce(e.interruptions, '[]') AS interruptions, coalesce(r.recorded, '{}') AS recorded
  FROM (SELECT * FROM message_logs WHERE id > $1 ORDER BY id LIMIT $2) m
  LEFT JOIN LATERAL (
    SELECT json_agg(CASE
      WHEN data ->> 'reason' = 'worker_lost' THEN 'worker_lost'
      WHEN data ->> 'smtpResponse' ~ '${REFUSED}' THEN 'refused'
      ELSE 'answer_lost' END) AS interruptions
    FROM email_events WHERE message_id = m.id AND type = 'delayed'
  ) e ON true
  LEFT JOIN LATERAL (
    SELECT json_object_agg(type, count) AS recorded FROM (
      SELECT type, count(*)::integer AS count FROM email_events
      WHERE message_id = m.id AND type IN ('delivered', 'bounced', 'complained', 'opened') GROUP BY type
    ) counted
  ) r ON true
  ORDER BY m.id`;

const SUPPRESSIONS = 'SELECT account_id AS "accountId", address FROM suppressions WHERE address IS NOT NULL';

const DELIVERIES = `
  SELECT d.account_id AS "accountId", d.endpoint_id AS "endpointId", d.state,
    coalesce(d.body::json -> 'data' ->> 'email', d.body::json -> 'data' ->> 'phone') AS address,
    (SELECT count(*)::integer FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.error IS NOT NULL) AS "failedAttempts"
  FROM webhook_deliveries d`;
