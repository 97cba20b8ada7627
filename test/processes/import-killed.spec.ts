import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';

import { createTestDatabase, openPool, type TestDatabase } from '../support/database.js';
import { startApi } from '../support/delivery-fixture.js';
import { expireLeases } from '../support/expire-leases.js';
import type { TestService } from '../support/service.js';
import { killServiceProcesses, ServiceProcess } from '../support/service-process.js';

const ROWS = 40_000;
const KILLED_AFTER = 5_000;
const ADMIN = { email: 'admin@example.com', password: 'a password for tests' };

describe('A worker killed with SIGKILL while importing contacts', () => {
  let database: TestDatabase;
  let pool: Pool;
  let api: TestService;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool(database);
  });
  afterAll(async () => {
    await killServiceProcesses();
    await api.stop();
    await pool.end();
    await database.drop();
  });

  it('loses and repeats no row and no count: another worker continues', async () => {
    const variables = {
      DATABASE_URL: database.url,
      APP_SECRET: 'a secret of 32 characters for a test',
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    };
    api = await startApi(variables);
    const { url } = api;
    const login = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(ADMIN),
    });
    const headers = { Authorization: `Bearer ${((await login.json()) as { accessToken: string }).accessToken}` };
    const form = new FormData();
    form.set('mapping', '{"email":"email","company":"company"}');
    const rows = Array.from({ length: ROWS }, (_, i) => `p${i}@example.com,Company ${i}\n`).join('');
    form.set('file', new Blob([`email,company\n${rows}`]), 'contacts.csv');
    const upload = await fetch(`${url}/api/contacts/import/csv`, { method: 'POST', headers, body: form });
    expect(upload.status).toBe(202);
    const { id } = (await upload.json()) as { id: string };
    const find = async () =>
      (await (await fetch(`${url}/api/imports/${id}`, { headers })).json()) as { state: string; processed: number };

    const killed = ServiceProcess.spawn({ ...variables, ROLE: 'worker' });
    await killed.waitFor(`${KILLED_AFTER} rows`, async () => (await find()).processed >= KILLED_AFTER);
    await killed.kill('SIGKILL');
    const atKill = await find();
    expect(atKill).toMatchObject({ state: 'running' });
    expect(atKill.processed).toBeLessThan(ROWS);

    await expireLeases(api, 'contact_imports');
    const worker = ServiceProcess.spawn({ ...variables, ROLE: 'worker' });
    await worker.waitFor('the import', async () => (await find()).state === 'done');
    expect(await find()).toMatchObject({
      total: ROWS,
      processed: ROWS,
      created: ROWS,
      updated: 0,
      skipped: 0,
      failed: 0,
    });
    const { rows: counted } = await pool.query<{ contacts: number; chunks: number }>(
      `SELECT (SELECT count(*)::integer FROM contacts) AS contacts, (SELECT count(*)::integer FROM contact_import_chunks) AS chunks`,
    );
    expect(counted).toEqual([{ contacts: ROWS, chunks: 0 }]);
  });
});
