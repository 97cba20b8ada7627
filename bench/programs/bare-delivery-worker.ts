/**
 * The floor for `deliver`: a worker with the same guarantees and nothing else. It claims COUNT messages, looks up their
 * recipients in the suppression list, sends them with nodemailer to SMTP_URL and records the outcomes, in the
 * statements of the service, each for many messages. No jobs, lease renewals, rates, pauses, logs or metrics.
 * DATABASE_URL names its database. A SIGTERM does not end it before the last outcome is recorded.
 */
import { createTransport } from 'nodemailer';
import pg from 'pg';

import { CONNECTIONS_PER_RELAY } from '../../src/config/limits.js';
import type { ClaimedMessage, DeliveryOutcome } from '../../src/modules/messages/domain/delivery.js';
import { CLAIM, RECORD } from '../../src/modules/messages/infrastructure/delivery/delivery.sql.js';
import { toOutcomeRow } from '../../src/modules/messages/infrastructure/delivery/outcome-row.js';
import { deriveText } from '../../src/mail/writing/derive-text.js';
import { SUBMISSION_REFUSALS, submissionValues } from '../../src/modules/suppression/infrastructure/suppression.sql.js';
import { POSTGRES_FAULTS } from '../../src/platform/database/postgres-errors.js';
import { Batcher } from '../../src/concurrency/batcher.js';
import { newIds } from '../../src/shared/ids.js';

process.on('SIGTERM', () => undefined);

const NO_HASH = String.raw`\x00`;
const CLAIMED_TOGETHER = 50;
/** Enough for every connection while the next messages are claimed. */
const CLAIMS_AT_A_TIME = 3;

interface Attempt {
  message: ClaimedMessage;
  outcome: DeliveryOutcome;
}

const database = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const { hostname, port } = new URL(process.env.SMTP_URL ?? '');
const transport = createTransport({
  pool: true,
  host: hostname,
  port: Number(port),
  maxConnections: CONNECTIONS_PER_RELAY,
  maxMessages: Infinity,
});

const lookUps = new Batcher<ClaimedMessage, boolean>(
  async (messages) => {
    const values = submissionValues(
      messages.map((message) => ({ ...message, address: message.normalisedRecipient, addressHash: NO_HASH })),
    );
    const query = { name: 'submission_refusals', text: SUBMISSION_REFUSALS, values };
    return (await database.query<{ refusal: string | null }>(query)).rows.map(({ refusal }) => refusal !== null);
  },
  { maxSize: 200, faults: POSTGRES_FAULTS },
);

const records = new Batcher<Attempt, void>(
  async (attempts) => {
    const rows = attempts.map(({ message, outcome }) => toOutcomeRow(message, outcome, new Date()));
    const ids = attempts.map(({ message }) => message.id);
    await database.query({ name: 'record_outcomes', text: RECORD, values: [JSON.stringify(rows), ids] });
    return attempts.map(() => undefined);
  },
  { faults: POSTGRES_FAULTS },
);

async function deliver(message: ClaimedMessage): Promise<void> {
  if (await lookUps.add(message)) throw new Error('Nobody is suppressed in this benchmark');
  const { sender, recipient, subject, html, text } = message;
  const { messageId, response } = await transport.sendMail({
    from: sender,
    to: recipient,
    subject: subject ?? '',
    html: html ?? '',
    text: text ?? deriveText(html ?? ''),
  });
  const outcome = { kind: 'sent', provider: 'smtp', providerMessageId: messageId, response } as const;
  await records.add({ message, outcome });
}

const { rows: pending } = await database.query<{ id: string; accountId: string }>(
  'SELECT message_id AS id, account_id AS "accountId" FROM pending_deliveries ORDER BY message_id LIMIT $1',
  [Number(process.env.COUNT)],
);
const chunks = Array.from({ length: Math.ceil(pending.length / CLAIMED_TOGETHER) }, (_, i) =>
  pending.slice(i * CLAIMED_TOGETHER, (i + 1) * CLAIMED_TOGETHER),
).values();

async function work(): Promise<void> {
  for (const chunk of chunks) {
    const now = new Date();
    const ids = chunk.map(({ id }) => id);
    const values = [ids, newIds(now, ids.length), chunk[0]?.accountId, now, now];
    const { rows } = await database.query<ClaimedMessage>({ name: 'claim_messages', text: CLAIM, values });
    await Promise.all(rows.map(deliver));
  }
}
await Promise.all(Array.from({ length: CLAIMS_AT_A_TIME }, work));
transport.close();
await database.end();
