import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';

import { ENTITIES } from '../../../src/modules/entities.js';
import { ComposeAddresses1795316000004 } from '../../../migrations/1795316000004-compose-addresses.js';
import { createDataSource, migrate } from '../../../src/platform/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

const DECOMPOSED = 'j\u030Cim@example.com';
const COMPOSED = '\u01F0im@example.com';

describe('The migration that composes addresses', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase('template0');
    dataSource = await createDataSource(database.url, ENTITIES, 2).initialize();
    await migrate(dataSource);
    const at = dataSource.migrations.findIndex((migration) => migration instanceof ComposeAddresses1795316000004);
    for (let left = dataSource.migrations.length; left > at; left--) await dataSource.undoLastMigration();
    await dataSource.query(`INSERT INTO accounts (id, name, created_at, updated_at)
      SELECT id, id, now(), now() FROM unnest(ARRAY['a', 'b']) AS id`);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const id = (n: number) => `c0000000${n}${'x'.repeat(16)}`;
  const suppress = (n: number, account: string, address: string, reason = 'bounced') =>
    dataSource.query(
      `INSERT INTO suppressions (id, account_id, channel, address, reason, source, created_at)
       VALUES ($1, $2, 'email', $3, $4, 'provider', now())`,
      [id(n), account, address, reason],
    );
  const addContact = (n: number, account: string, address: string) =>
    dataSource.query(
      `INSERT INTO contacts (id, account_id, email, normalised_email, tags, status, list_ids, created_at, updated_at)
       VALUES ($1, $2, $3, $3, '{}', 'active', '{}', now(), now())`,
      [id(n), account, address],
    );

  it('suppresses the composed form too, and keeps the entry of it that stands', async () => {
    await suppress(1, 'a', DECOMPOSED);
    await suppress(2, 'a', 'ada@example.com');
    await suppress(3, 'b', DECOMPOSED);
    await suppress(4, 'b', COMPOSED, 'manual');
    await migrate(dataSource);
    const rows = await dataSource.query(
      `SELECT id, account_id AS account, address, reason FROM suppressions WHERE address <> 'ada@example.com'
       ORDER BY account_id, id`,
    );
    expect(rows).toEqual([
      { id: expect.stringMatching(/^c00000001[a-f0-9]{16}$/), account: 'a', address: COMPOSED, reason: 'bounced' },
      { id: id(1), account: 'a', address: DECOMPOSED, reason: 'bounced' },
      { id: id(3), account: 'b', address: DECOMPOSED, reason: 'bounced' },
      { id: id(4), account: 'b', address: COMPOSED, reason: 'manual' },
    ]);
  });

  it('composes the addresses of contacts, unless another contact has the composed one', async () => {
    await addContact(1, 'a', DECOMPOSED);
    await addContact(2, 'b', DECOMPOSED);
    await addContact(3, 'b', COMPOSED);
    await migrate(dataSource);
    const rows = await dataSource.query('SELECT id, email, normalised_email AS normalised FROM contacts ORDER BY id');
    expect(rows).toEqual([
      { id: id(1), email: DECOMPOSED, normalised: COMPOSED },
      { id: id(2), email: DECOMPOSED, normalised: DECOMPOSED },
      { id: id(3), email: COMPOSED, normalised: COMPOSED },
    ]);
  });
});
