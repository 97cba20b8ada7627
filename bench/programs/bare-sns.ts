/** The reference for `events`: verifies the same signature and runs one durable INSERT per post through pg. */
import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import express from 'express';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, message_id text NOT NULL,
   type text NOT NULL, data jsonb NOT NULL, received_at timestamptz NOT NULL DEFAULT now())`,
);

const SIGNED = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type'];
const keys = new Map<string, Promise<KeyObject>>();

async function fetchKey(url: string): Promise<KeyObject> {
  return new X509Certificate(await (await fetch(url)).text()).publicKey;
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/events', express.text({ type: 'text/plain' }), async (request, response) => {
  const envelope = JSON.parse(request.body as string) as Record<string, string>;
  const { SigningCertURL: url = '', Signature: signature = '', Message: message = '' } = envelope;
  const key = keys.get(url) ?? fetchKey(url);
  keys.set(url, key);
  const signed = SIGNED.map((name) => `${name}\n${envelope[name]}\n`).join('');
  if (!verify('RSA-SHA1', Buffer.from(signed), await key, Buffer.from(signature, 'base64'))) {
    response.status(403).end();
    return;
  }
  const { eventType, mail } = JSON.parse(message) as { eventType: string; mail: { messageId: string } };
  await pool.query('INSERT INTO bare_events (message_id, type, data) VALUES ($1, $2, $3)', [
    mail.messageId,
    eventType,
    message,
  ]);
  response.status(200).json({ stored: true });
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
