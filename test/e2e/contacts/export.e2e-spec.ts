import { type IncomingMessage, request as httpRequest } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { importCsv } from '../../support/csv-imports.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const HEADER = 'email,firstName,lastName,company,tags,status,listIds,id,createdAt,updatedAt';

describe('GET /api/contacts/export.csv', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const upsert = (body: object) => account.asAdmin('post', '/api/contacts').send(body).expect(201);
  const exported = async (query = '') => {
    const { text, headers } = await account.asMember('get', `/api/contacts/export.csv${query}`).expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="contacts.csv"');
    return text;
  };
  const emails = (csv: string) =>
    csv
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
  const addMany = (count: number) =>
    service.query(
      `INSERT INTO contacts (id, account_id, email, normalised_email, company, tags, status, list_ids, created_at, updated_at)
       SELECT 'c' || lpad(i::text, 24, '0'), $1, 'p' || i || '@example.com', 'p' || i || '@example.com', repeat('x', 150), '{}', 'active', '{}', now(), now()
       FROM generate_series(1, $2) AS i`,
      [account.id, count],
    );

  it('has a column for each attribute, which an import reads', async () => {
    await upsert({ email: 'ada@example.com', attributes: { city: 'Bern; CH', visits: 3, vip: false } });
    await upsert({ email: 'bob@example.com', attributes: { zip: '=1+1', note: 'two\nlines' } });
    await upsert({ email: 'cleo@example.com' });
    await (
      await service.createAccount()
    )
      .asAdmin('post', '/api/contacts')
      .send({ email: 'eve@example.com', attributes: { secret: 1 } })
      .expect(201);
    const csv = await exported();
    expect(csv.split('\n', 1)).toEqual([
      `${HEADER},attributes.city,attributes.note,attributes.vip,attributes.visits,attributes.zip`,
    ]);
    expect(csv).toMatch(/^ada@.*,"Bern; CH",,false,3,$/m);
    const report = await importCsv(service, account, csv, { mapping: { email: 'email' } });
    expect(report).toMatchObject({ state: 'done', skipped: 3, updated: 0, failed: 0 });
    expect(report.ignoredColumns).toEqual({ count: 9, names: HEADER.split(',').slice(1) });
  });

  it('writes what has no column of its own as JSON', async () => {
    const attributes = (from: number) =>
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${String(from + i).padStart(4, '0')}`, i]));
    const contacts = Array.from({ length: 19 }, (_, i) => ({
      email: `p${i}@example.com`,
      attributes: attributes(i * 50),
    }));
    await account.asAdmin('post', '/api/contacts/import').send({ contacts }).expect(200);
    const csv = await exported();
    const [header = ''] = csv.split('\n', 1);
    expect(header.split(',')).toHaveLength(10 + 900 + 1);
    expect(header).toMatch(/,attributes\.k0899,attributes$/);
    expect(csv).toMatch(/^p18@.*,"\{""k0900"":0,/m);
  });

  it('writes the contacts of the account, newest first, and none of another account', async () => {
    await (
      await service.createAccount()
    )
      .asAdmin('post', '/api/contacts')
      .send({ email: 'eve@example.com' })
      .expect(201);
    expect(await exported()).toBe(`${HEADER}\n`);
    const { body: list } = await account.asAdmin('post', '/api/lists').send({ name: 'News' }).expect(201);
    const { body: ada } = await upsert({
      email: 'ada@example.com',
      firstName: 'Zoë, "Ada"',
      tags: ['b', 'a'],
      listIds: [list.id],
    });
    const { body: bob } = await upsert({ email: 'bob@example.com' });
    expect(await exported()).toBe(
      `${HEADER}\nbob@example.com,,,,,active,,${bob.id},${bob.createdAt},${bob.updatedAt}\n` +
        `ada@example.com,"Zoë, ""Ada""",,,"a;b",active,${list.id},${ada.id},${ada.createdAt},${ada.updatedAt}\n`,
    );
  });

  it('escapes formulas, and an import reads the values back unchanged', async () => {
    const names = ['=1+1', '+1', '-1', '@x', '＝1+1', '＋1', '－1', '＠x', "'quoted'", 'x;=1+1'];
    for (const [i, firstName] of names.entries())
      await upsert({ email: `p${i}@example.com`, firstName, tags: ['=tag', 'a', '＠tag'] });
    const csv = await exported();
    expect(csv).not.toMatch(/(^|,|")[=+\-@\t\r＝＋－＠]/m);
    expect(csv).toContain(`"'=tag;a;'＠tag"`);
    expect(csv).toContain('"x;=1+1"');
    const mapping = { email: 'email', firstName: 'firstName', lastName: 'lastName', tags: 'tags', status: 'status' };
    const report = await importCsv(service, account, csv, { mapping });
    expect(report).toMatchObject({ state: 'done', skipped: names.length, failed: 0 });
  });

  it('applies the filters of the list', async () => {
    await upsert({ email: 'ada@example.com', tags: ['crm'] });
    await upsert({ email: 'bob@example.com', tags: ['crm'], status: 'unsubscribed' });
    await upsert({ email: 'eve@example.com', company: 'Engines' });
    expect(emails(await exported('?tag=crm'))).toEqual(['bob@example.com', 'ada@example.com']);
    expect(emails(await exported('?tag=crm&status=active'))).toEqual(['ada@example.com']);
    expect(emails(await exported('?search=engine'))).toEqual(['eve@example.com']);
    const get = (query: string) => account.asMember('get', `/api/contacts/export.csv?${query}`);
    await get('status=x').expect(400);
    await get('page=2').expect(400);
    await get('listId=none').expect(400, badRequest('listId: there is no list none'));
  });

  it('accepts keys with contacts:read', async () => {
    const { secret } = await account.createKey({ scopes: ['contacts:read'] });
    await service.request('get', '/api/contacts/export.csv').set('X-API-Key', secret).expect(200);
  });

  it('writes each of many contacts once', async () => {
    await addMany(2_000);
    const found = emails(await exported());
    expect(found).toHaveLength(2_000);
    expect(new Set(found).size).toBe(2_000);
  });

  /** A response of which the client reads nothing. */
  const exportSlowly = async (of: TestAccount) => {
    const call = httpRequest(`${service.url}/api/contacts/export.csv`, {
      headers: { Authorization: `Bearer ${of.memberToken}` },
    });
    call.on('error', () => undefined); // the test ends it
    const response = await new Promise<IncomingMessage>((resolve) => call.on('response', resolve).end());
    response.on('error', () => undefined).pause();
    return { call, response };
  };

  it('reads no more rows than the client receives, and none after it has disconnected', async () => {
    await service.query('DELETE FROM contacts');
    await addMany(30_000);
    const { pool } = service.database;
    const reads = jest.spyOn(service.database, 'read');
    try {
      const { call, response } = await exportSlowly(account);
      // The buffers of the connection and the streams are full now.
      await waitFor('the first batches', () => reads.mock.calls.length > 0);
      await waitFor('the database to be left alone', () => pool.idleCount === pool.totalCount);
      call.destroy();
      await waitFor('the end of the call', () => response.destroyed);
      expect(reads.mock.calls.length).toBeLessThan(30_000 / 250); // the batches of the whole file
    } finally {
      reads.mockRestore();
    }
  });

  it('runs four at a time per account, which do not hold up other reads', async () => {
    await service.query('DELETE FROM contacts');
    await addMany(30_000);
    const open = [];
    for (let i = 0; i < 4; i++) open.push(await exportSlowly(account));
    const refused = await account.asMember('get', '/api/contacts/export.csv').expect(429);
    expect(refused.body).toEqual(errorBody(429, '4 exports of this account are still running'));
    expect(refused.headers['retry-after']).toBe('1');
    await account.asMember('get', '/api/suppressions/export').expect(429);
    await account.asMember('get', '/api/contacts').expect(200);
    await (await service.createAccount()).asMember('get', '/api/contacts/export.csv').expect(200);
    open[0]!.call.destroy();
    await waitFor('another export to be taken', async () => {
      const { status } = await account.asMember('get', '/api/suppressions/export');
      return status === 200;
    });
    for (const { call } of open) call.destroy();
  });
});
