/**
 * The floor of contact imports: Express and one upsert per request into the table of the service, whose triggers keep
 * the pairs of contact and tag. No validation and no look-up of suppressions. ACCOUNT_ID is whose contacts they are.
 */
import express from 'express';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

import { type Person, upsertInto, upsertValues } from '../support/upsert-contacts.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const accountId = process.env.ACCOUNT_ID ?? '';
const UPSERT = upsertInto('contacts');

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/api/contacts/import', express.json({ limit: '10mb' }), async (request, response) => {
  const { contacts } = request.body as { contacts: Person[] };
  const { rowCount } = await pool.query({ name: 'upsert', text: UPSERT, values: upsertValues(accountId, contacts) });
  const created = rowCount ?? 0;
  response.json({ created, updated: 0, skipped: contacts.length - created });
});
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
