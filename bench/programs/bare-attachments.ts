/** The reference for accepting attachments: one durable INSERT per request with the mail and the decoded bytes. */
import type { AddressInfo } from 'node:net';

import express from 'express';
import pg from 'pg';

interface Body {
  to: string;
  fromEmail: string;
  subject: string;
  html: string;
  attachments: [{ filename: string; content: string }];
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_mails (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, recipient text NOT NULL,
   sender text NOT NULL, subject text NOT NULL, html text NOT NULL, filename text NOT NULL, bytes bytea NOT NULL,
   created_at timestamptz NOT NULL DEFAULT now())`,
);
await pool.query('ALTER TABLE bare_mails ALTER COLUMN bytes SET STORAGE EXTERNAL');

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/api/send/transactional', express.json({ limit: '1mb' }), async (request, response) => {
  const { to, fromEmail, subject, html, attachments } = request.body as Body;
  const [{ filename, content }] = attachments;
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO bare_mails (recipient, sender, subject, html, filename, bytes)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [to, fromEmail, subject, html, filename, Buffer.from(content, 'base64')],
  );
  response.status(201).json({ queued: true, messageLogId: rows[0]?.id });
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
