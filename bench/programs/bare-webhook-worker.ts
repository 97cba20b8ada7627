/**
 * The floor for `webhooks`: a worker with the same guarantees and nothing else. It turns outbox events into deliveries,
 * claims them, posts them signed with undici over CONNECTIONS connections and records the attempts, in statements for
 * many rows. No leases, retries, windows, checks of addresses, logs or metrics. DATABASE_URL names its database.
 */
import pg from 'pg';
import { Pool } from 'undici';

import { attemptHeaders } from '../../src/modules/webhooks/domain/attempt-headers.js';
import { writeBody } from '../../src/modules/webhooks/domain/webhook-event.js';
import { ADD, CLAIM, RECORD } from '../../src/modules/webhooks/infrastructure/webhook-delivery.sql.js';
import { newIds } from '../../src/shared/ids.js';

const EVENTS_PER_BATCH = 1_000;
const CLAIMED_TOGETHER = 400;
const RECORDED_TOGETHER = 100;

interface Claimed {
  id: string;
  attemptId: string;
  number: number;
  event: string;
  body: string;
  url: string;
}

const database = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
const connections = Number(process.env.CONNECTIONS);
const receivers = new Map<string, Pool>();

async function dispatch(): Promise<number> {
  const now = new Date();
  const { rows } = await database.query<Parameters<typeof writeBody>[0] & { id: string; endpointIds: string[] }>(
    `WITH taken AS (
       DELETE FROM outbox_events WHERE id = ANY(ARRAY(
         SELECT id FROM outbox_events ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING id, account_id, type, occurred_at, data)
     SELECT t.id, t.type, t.account_id AS "accountId", t.occurred_at AS "occurredAt", t.data,
       ARRAY(SELECT e.id FROM webhook_endpoints e WHERE e.account_id = t.account_id) AS "endpointIds"
     FROM taken t`,
    [EVENTS_PER_BATCH],
  );
  const deliveries = rows.flatMap((event) => {
    const { id: eventId, accountId, type } = event;
    const body = writeBody(event);
    return event.endpointIds.map((endpointId) => ({ accountId, endpointId, eventId, event: type, body }));
  });
  const ids = newIds(now, deliveries.length);
  const added = deliveries.map((delivery, i) => ({ id: ids[i], ...delivery, createdAt: now }));
  if (added.length > 0) await database.query(ADD, [JSON.stringify(added)]);
  return rows.length;
}

async function claim(): Promise<Claimed[]> {
  const now = new Date();
  const { rows: endpoints } = await database.query<{ id: string }>(
    'SELECT id FROM webhook_endpoints e WHERE EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = e.id AND due_at <= $1)',
    [now],
  );
  const limit = Math.ceil(CLAIMED_TOGETHER / Math.max(1, endpoints.length));
  const { rows } = await database.query<Claimed>({
    name: 'claim',
    text: CLAIM,
    values: [
      endpoints.map(({ id }) => id),
      endpoints.map(() => limit),
      now,
      now,
      newIds(now, limit * endpoints.length),
    ],
  });
  return rows;
}

async function post({ attemptId, number, event, body, url }: Claimed) {
  const { origin, pathname } = new URL(url);
  const receiver = receivers.get(origin) ?? new Pool(origin, { connections });
  receivers.set(origin, receiver);
  const startedAt = new Date();
  const secrets = { current: 'whsec_secret', previous: null };
  const headers = attemptHeaders('Service', { id: attemptId, number, event, body }, secrets, startedAt);
  const response = await receiver.request({ method: 'POST', path: pathname, headers, body });
  const responseBody = await response.body.text();
  const durationMs = Date.now() - startedAt.getTime();
  return { startedAt, durationMs, requestHeaders: headers, statusCode: response.statusCode, responseBody };
}

async function record(deliveries: Claimed[]): Promise<void> {
  const rows = await Promise.all(
    deliveries.map(async (delivery) => ({
      ...(await post(delivery)),
      deliveryId: delivery.id,
      id: delivery.attemptId,
      number: delivery.number,
      state: 'delivered',
      nextAttemptAt: null,
      at: new Date(),
    })),
  );
  const ids = rows.map(({ deliveryId }) => deliveryId);
  await database.query({ name: 'record', text: RECORD, values: [JSON.stringify(rows), ids, ''] });
}

while ((await dispatch()) > 0);
let recording: Promise<unknown> = Promise.resolve();
for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
  await recording; // while one batch is recorded, the next is claimed
  const batches: Promise<void>[] = [];
  for (let at = 0; at < claimed.length; at += RECORDED_TOGETHER)
    batches.push(record(claimed.slice(at, at + RECORDED_TOGETHER)));
  recording = Promise.all(batches);
}
await recording;
await Promise.all([...receivers.values()].map((receiver) => receiver.close()));
await database.end();
