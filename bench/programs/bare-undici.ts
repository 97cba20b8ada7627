/** The reference for `webhooks`: undici posting COUNT webhook bodies to URL over CONNECTIONS connections. */
import { Pool } from 'undici';

import { attemptHeaders } from '../../src/modules/webhooks/domain/attempt-headers.js';
import { writeBody } from '../../src/modules/webhooks/domain/webhook-event.js';

const { origin, pathname } = new URL(process.env.URL ?? '');
const connections = Number(process.env.CONNECTIONS);
const count = Number(process.env.COUNT);
const now = new Date();
const id = 'c'.padEnd(25, '0');
const data = {
  email: 'recipient-12345@example.net',
  channel: 'email',
  reason: 'manual',
  source: 'import',
  contactId: null,
  firstName: null,
  lastName: null,
  campaignId: null,
};
const body = writeBody({ type: 'contact.suppressed', occurredAt: now, accountId: id, data });
const attempt = { id, number: 1, event: 'contact.suppressed', body };
const headers = attemptHeaders('Service', attempt, { current: 'whsec_secret', previous: null }, now);

const pool = new Pool(origin, { connections });
let posted = 0;
const post = async () => {
  while (posted++ < count) {
    const response = await pool.request({ method: 'POST', path: pathname, headers, body });
    await response.body.dump();
  }
};
await Promise.all(Array.from({ length: connections }, post));
await pool.close();
