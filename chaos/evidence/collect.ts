import type { ChaosAccount } from '../accounts.js';
import type { ChaosDatabase } from '../database.js';
import type { Campaigns } from '../campaigns.js';
import type { Environment } from '../environment.js';
import type { Load } from '../load.js';
import type { OptOuts } from '../opt-outs.js';
import type { ProviderReports } from '../provider-reports.js';
import type { CopyRecords } from './copies.js';
import type { AddressOfAccount, Cap, Disturbances, Evidence, MessageRow, WebhookDelivery } from './evidence.js';

interface Observers {
  load: Load;
  reports: ProviderReports;
  optOuts: OptOuts;
  disturbances: Disturbances;
  copies: CopyRecords;
  campaigns: Campaigns;
}

/** Combines the observations of clients, providers and receiver with the contents of the tables. */
export async function collect(
  { database, processes, receiver, endpoints, answers, accounts }: Environment,
  { load, reports, optOuts, disturbances, copies, campaigns }: Observers,
  unfinished: string[],
): Promise<Evidence> {
  return {
    sends: load.sends,
    schedules: load.schedules,
    suppressedSends: load.suppressedSends,
    suppressionCauses: [...load.suppressedByHand, ...campaigns.unsubscribed, ...reports.causes, ...optOuts.causes],
    answers,
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

const SUPPRESSIONS = 'SELECT account_id AS "accountId", address FROM suppressions';

const DELIVERIES = `
  SELECT d.account_id AS "accountId", d.endpoint_id AS "endpointId", d.state,
    coalesce(d.body::json -> 'data' ->> 'email', d.body::json -> 'data' ->> 'phone') AS address,
    (SELECT count(*)::integer FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.error IS NOT NULL) AS "failedAttempts"
  FROM webhook_deliveries d`;
