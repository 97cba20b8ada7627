import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { importCsv, upload } from '../../support/csv-imports.js';
import { badRequest } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'ada@example.com';
const keys = (count: number, prefix = 'key_') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]));

describe('The attributes of a contact', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const upsert = (attributes: unknown, fields: object = {}) =>
    account.asAdmin('post', '/api/contacts').send({ email: EMAIL, attributes, ...fields });
  const importJson = async (contacts: object[], options: object = {}) =>
    (
      await account
        .asAdmin('post', '/api/contacts/import')
        .send({ contacts, ...options })
        .expect(200)
    ).body;
  const read = async (email = EMAIL) => {
    const { body } = await account.asMember('get', `/api/contacts?search=${email}`).expect(200);
    return body.items[0];
  };

  it('are written, read and merged', async () => {
    const attributes = { city: 'Zürich', visits: 3, rate: 0.1, vip: true, constructor: 'x', empty: '' };
    const { body } = await upsert(attributes).expect(201);
    expect(body.attributes).toEqual(attributes);
    expect(await read()).toEqual(body);
    await account.asMember('get', `/api/contacts/${body.id}`).expect(200, body);
    const changed = await upsert({ visits: 4, city: null, zip: '8000' }, { firstName: 'Ada' }).expect(200);
    expect(changed.body.attributes).toEqual({
      visits: 4,
      rate: 0.1,
      vip: true,
      constructor: 'x',
      empty: '',
      zip: '8000',
    });
    const kept = await upsert(undefined, { lastName: 'King' }).expect(200);
    expect(kept.body.attributes).toEqual(changed.body.attributes);
    const path = `/api/contacts/${body.id}`;
    const patched = await account
      .asAdmin('patch', path)
      .send({ attributes: { vip: null } })
      .expect(200);
    expect(patched.body.attributes).not.toHaveProperty('vip');
    const cleared = await account.asAdmin('patch', path).send({ attributes: null }).expect(200);
    expect(cleared.body.attributes).toEqual({});
    expect(await service.query('SELECT attributes FROM contacts WHERE account_id = $1', [account.id])).toEqual([
      { attributes: null },
    ]);
  });

  it('leave a contact as it is if they are what it has', async () => {
    const { body } = await upsert({ city: 'Bern', visits: 3 }).expect(201);
    service.clock.advance({ seconds: 1 });
    for (const attributes of [{ visits: 3 }, {}, { other: null }, { city: 'Bern', visits: 3.0 }])
      await upsert(attributes).expect(200, body);
    expect(await importJson([{ email: EMAIL, attributes: { city: 'Bern' } }])).toMatchObject({
      skipped: 1,
      updated: 0,
    });
  });

  it.each([
    [[], 'attributes must be an object'],
    ['city', 'attributes must be an object'],
    [keys(51), 'attributes must have at most 50 keys'],
    [{ 'a.b': 1 }, 'attributes.a.b must be named by 1 to 40 letters, digits and underscores'],
    [{ home: { city: 'Bern' } }, 'attributes.home must be a string, a number, a boolean or null'],
    [{ a: 'x'.repeat(4_089) }, 'attributes would have 4097 bytes of JSON, more than 4096'],
  ])('are refused as %.60j, alone and in an import', async (attributes, message) => {
    await upsert(attributes).expect(400, badRequest(message));
    expect(await importJson([{ email: EMAIL, attributes }, { email: 'bob@example.com' }])).toMatchObject({
      created: 1,
      errors: [{ index: 0, message }],
    });
  });

  it.each([
    ['{"__proto__": 1}', 'attributes.__proto__ must be named by 1 to 40 letters, digits and underscores'],
    ['{"id": 12345678901234567890}', 'attributes.id is a number that would lose digits: write it as a string'],
    ['{"n": 1e999}', 'attributes.n is a number that would lose digits: write it as a string'],
  ])('are refused as %s', async (json, message) => {
    await account
      .asAdmin('post', '/api/contacts')
      .set('Content-Type', 'application/json')
      .send(`{"email": "${EMAIL}", "attributes": ${json}}`)
      .expect(400, badRequest(message));
  });

  it('keep the digits of numbers', async () => {
    const attributes = { a: Number.MAX_SAFE_INTEGER, b: 1.7976931348623157e308, c: 5e-324, d: -0.1, e: 1e-7 };
    await upsert({ ...attributes, b: 123456789.12345679 }).expect(201);
    expect((await read()).attributes).toEqual({ ...attributes, b: 123456789.12345679 });
  });

  describe('that a contact cannot have in addition to its own', () => {
    const message = 'attributes would have 51 keys, more than 50';

    beforeEach(async () => {
      await upsert(keys(50), { firstName: 'Ada' }).expect(201);
    });

    it('are refused, and change nothing', async () => {
      const before = await read();
      await upsert({ more: 1 }, { firstName: 'Eve', status: 'unsubscribed' }).expect(400, badRequest(message));
      expect(await read()).toEqual(before);
      await upsert({ more: 1, key_0: null }).expect(200);
    });

    it.each([false, true])('are errors of their rows in an import, dryRun %j', async (dryRun) => {
      const before = await read();
      const row = { email: EMAIL, attributes: { more: 1 }, firstName: 'Eve', status: 'unsubscribed' };
      const report = await importJson([row, { email: 'bob@example.com', attributes: { more: 1 } }], { dryRun });
      expect(report).toEqual({ created: 1, updated: 0, skipped: 0, errors: [{ index: 0, email: EMAIL, message }] });
      expect(await read()).toEqual(before);
      expect((await account.asMember('get', '/api/contacts').expect(200)).body.total).toBe(dryRun ? 1 : 2);
      const csv = `email,attributes.more\n${EMAIL},1\nbob@example.com,2\n`;
      const byFile = await importCsv(service, account, csv, { dryRun: String(dryRun) });
      expect(byFile).toMatchObject({ failed: 1, errors: [{ line: 2, email: EMAIL, message }] });
      expect(byFile).toMatchObject(dryRun ? { created: 1 } : { updated: 1 });
    });
  });

  it('lose nothing when several calls change them at once', async () => {
    await upsert({ start: 0 }).expect(201);
    await Promise.all([1, 2, 3, 4].map((n) => upsert({ [`key_${n}`]: n }).expect(200)));
    expect((await read()).attributes).toEqual({ start: 0, key_1: 1, key_2: 2, key_3: 3, key_4: 4 });
  });

  it('come from the columns of a file', async () => {
    await upsert({ city: 'Bern', visits: 3 }).expect(201);
    const csv = `E-mail,attributes.city,Besuche,attributes.vip,attributes.old,notes\n${EMAIL},,4,true,x,secret\n`;
    const mapping = { email: 'E-mail', 'attributes.visits': 'Besuche', 'attributes.old': null };
    const report = await importCsv(service, account, csv, { mapping });
    expect(report).toMatchObject({
      ...{ state: 'done', updated: 1, failed: 0 },
      ignoredColumns: { count: 2, names: ['attributes.old', 'notes'] },
    });
    expect((await read()).attributes).toEqual({ city: 'Bern', visits: 4, vip: true });
  });

  it.each([
    [{ email: 'email', 'attributes.a.b': 'x' }, 'mapping.attributes.a.b is not one of'],
    [{ email: 'email', 'attributes.city': 'x' }, 'mapping.attributes.city: the file has no column x'],
    [{ email: 'email', 'attributes.city': 5 }, 'mapping.attributes.city must be the name of a column'],
    [{ email: 'email', attributes: 'x' }, 'mapping.attributes is not one of'],
    [{ email: null }, 'mapping.email must be the name of a column'],
  ])('are refused with the mapping %j', async (mapping, message) => {
    const { body } = await upload(account, 'email,city\n', { mapping }).expect(400);
    expect(body.message).toContain(message);
  });

  it('go with the contact when it is erased', async () => {
    const { body } = await upsert({ city: 'Atlantis' }).expect(201);
    await account.asAdmin('post', `/api/contacts/${body.id}/erase`).expect(200);
    const rows = await service.query(
      `SELECT FROM contacts WHERE account_id = $1 OR attributes::text LIKE '%Atlantis%'`,
      [account.id],
    );
    expect(rows).toEqual([]);
  });
});
