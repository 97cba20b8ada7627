/** The reference for `read`: one indexed SELECT of 25 rows per request through pg. */
import express from 'express';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/messages', async (_, response) => {
  const { rows } = await pool.query({
    name: 'newest',
    text: 'SELECT * FROM message_logs WHERE account_id = $1 ORDER BY id DESC LIMIT 25',
    values: [process.env.ACCOUNT_ID],
  });
  response.json({ items: rows });
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
