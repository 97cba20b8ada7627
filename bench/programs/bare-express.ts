/** The reference for `accept`: one durable INSERT per request through pg. */
import express from 'express';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, recipient text NOT NULL,
   sender text NOT NULL, subject text NOT NULL, html text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
);

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/api/send/transactional', express.json(), async (request, response) => {
  const { to, fromEmail, subject, html } = request.body as Record<string, string>;
  const { rows } = await pool.query<{ id: string }>(
    'INSERT INTO bare_messages (recipient, sender, subject, html) VALUES ($1, $2, $3, $4) RETURNING id',
    [to, fromEmail, subject, html],
  );
  response.status(201).json({ queued: true, messageLogId: rows[0]?.id });
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
