import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { Database } from '../../../src/platform/database/database.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const EXACT = 100_000;

describe('The total of a list of contacts', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    await service.query('DROP INDEX ix_contacts_search'); // takes most of the time of adding so many contacts
    await service.query(
      `INSERT INTO contacts (id, account_id, email, normalised_email, tags, status, list_ids, created_at, updated_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, n || '@example.com', n || '@example.com', '{all}', 'active', '{}', now(), now()
       FROM generate_series(1, $2::integer) n`,
      [account.id, EXACT],
    );
  });
  afterAll(() => service.stop());

  const add = (name: string) =>
    account
      .asAdmin('post', '/api/contacts')
      .send({ email: `${name}@example.net`, tags: ['all'] })
      .expect(201);
  const total = async () => {
    const { body } = await account.asMember('get', '/api/contacts?tag=all&limit=1').expect(200);
    return { total: body.total as number, totalIsEstimate: body.totalIsEstimate as boolean };
  };

  it('is exact up to 100,000; above, it is counted again after a minute', async () => {
    expect(await total()).toEqual({ total: EXACT, totalIsEstimate: false });
    await add('first');
    expect(await total()).toEqual({ total: EXACT + 1, totalIsEstimate: true });
    await add('second');
    expect(await total()).toEqual({ total: EXACT + 1, totalIsEstimate: true });
    service.clock.advance({ minutes: 1 });
    await waitFor('the new total', async () => (await total()).total === EXACT + 2);
    await service.query(`DELETE FROM contacts WHERE account_id = $1 AND email LIKE '%.net'`, [account.id]);
    service.clock.advance({ minutes: 1 });
    expect(await total()).toEqual({ total: EXACT, totalIsEstimate: false });
  });

  it('is estimated if counting takes long, and holds up no page', async () => {
    const database = service.app.get(Database, { strict: false });
    const read = database.read.bind(database);
    jest.spyOn(database, 'read').mockImplementation((statement, values, timeoutMs) => {
      if (!JSON.stringify(statement).includes('count(*)')) return read(statement, values, timeoutMs);
      if (values?.at(-1) === null) return Promise.reject(new Error('It takes too long'));
      return read('SELECT pg_sleep(10)', [], timeoutMs);
    });
    const { body } = await account.asMember('get', '/api/contacts?search=example&limit=1').expect(200);
    expect(body.items).toHaveLength(1);
    expect(body.totalIsEstimate).toBe(true);
    expect(body.total).toBeGreaterThan(0);
    jest.restoreAllMocks();
  });
});
