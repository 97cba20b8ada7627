import type { ChaosAccount } from './accounts.js';
import type { AddressOfAccount, Cap, Evidence, MessageRow, WebhookDelivery, WebhookPost } from './evidence.js';
import type { Faults } from './faults.js';
import type { Load } from './load.js';
import type { Reports } from './reports.js';
import type { Stage } from './stage.js';

/** Puts together what the clients, the providers and the receiver saw, and what the tables say. */
export async function collect(
  stage: Stage,
  load: Load,
  reports: Reports,
  faults: Faults,
  unfinished: string[],
): Promise<Evidence> {
  const { database, relay, ses, crew, clients, endpoints } = stage;
  return {
    sends: load.sends,
    suppressedByHand: load.suppressedByHand,
    answers: clients.answers,
    outages: faults.outages,
    locks: faults.locks,
    reports: reports.made,
    endpoints,
    memory: crew.memory(),
    exits: crew.exits,
    unfinished,
    received: [
      ...relay.server.received().map(({ parsed }) => (parsed.messageId ?? '').slice(1).split('@')[0] ?? ''),
      ...ses.server.sent().map(({ tags }) => tags.message_id ?? ''),
    ],
    posts: postsOf(stage),
    caps: await findCaps(stage),
    messages: await database.query<MessageRow>(MESSAGES),
    recorded: await database.query(RECORDED),
    suppressions: await database.query<AddressOfAccount>(SUPPRESSIONS),
    deliveries: await database.query<WebhookDelivery>(DELIVERIES),
  };
}

function postsOf({ receiver, endpoints }: Stage): WebhookPost[] {
  const ids = new Map(endpoints.map(({ id, path }) => [path, id]));
  const received = receiver.reply({ ask: 'received' }) as { path: string; body: string; signature: string | null }[];
  return received.map(({ path, body, signature }) => ({
    endpointId: ids.get(path) ?? path,
    address: (JSON.parse(body) as { data: { email: string } }).data.email,
    isSigned: signature === 'valid',
  }));
}

async function findCaps({ database, accounts }: Stage): Promise<Cap[]> {
  const used = await database.query<{ id: string; used: number }>(USAGE);
  const usedBy = (id: string) => used.find((row) => row.id === id)?.used ?? 0;
  return Object.values(accounts).flatMap(({ id, cap, keys }: ChaosAccount): Cap[] => [
    { subject: 'account', id, limit: cap, used: usedBy(id) },
    ...keys.flatMap((key): Cap[] =>
      key.dailyLimit === null ? [] : [{ subject: 'key', id: key.id, limit: key.dailyLimit, used: usedBy(key.id) }],
    ),
  ]);
}

const USAGE = 'SELECT subject_id AS id, sum(used)::integer AS used FROM daily_usage GROUP BY subject_id';

/** An answer that begins with a code of SMTP, or with a refusal of SES, was given before the mail was taken. */
const MESSAGES = `
  SELECT m.id, m.account_id AS "accountId", m.api_key_id AS "keyId", m.recipient, m.status, m.opens,
    coalesce(e.interruptions, '[]') AS interruptions
  FROM message_logs m LEFT JOIN (
    SELECT message_id, json_agg(CASE
      WHEN data ->> 'reason' = 'worker_lost' THEN 'worker_lost'
      WHEN data ->> 'smtpResponse' ~ '^[245]\\d\\d|TooManyRequests|cannot be reached|ECONNREFUSED' THEN 'refused'
      ELSE 'answer_lost' END) AS interruptions
    FROM email_events WHERE type = 'delayed' GROUP BY message_id
  ) e ON e.message_id = m.id`;

const RECORDED = `
  SELECT message_id AS "messageId", type, count(*)::integer AS count FROM email_events
  WHERE type IN ('delivered', 'bounced', 'complained', 'opened') GROUP BY message_id, type`;

const SUPPRESSIONS = 'SELECT account_id AS "accountId", address FROM suppressions';

const DELIVERIES = `
  SELECT d.account_id AS "accountId", d.endpoint_id AS "endpointId", d.body::json -> 'data' ->> 'email' AS address, d.state,
    (SELECT count(*)::integer FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.error IS NOT NULL) AS "failedAttempts"
  FROM webhook_deliveries d`;
