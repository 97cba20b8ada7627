import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';

import { ENTITIES } from '../../../src/modules/entities.js';
import { VerifyDomains1795251600000 } from '../../../migrations/1795251600000-verify-domains.js';
import { createDataSource, migrate } from '../../../src/platform/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('The migration that gives a domain to one account', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase('template0');
    dataSource = await createDataSource(database.url, ENTITIES, 2).initialize();
    await migrate(dataSource);
    const after = dataSource.migrations.findIndex((migration) => migration instanceof VerifyDomains1795251600000);
    for (let left = dataSource.migrations.length; left > after; left--) await dataSource.undoLastMigration();
    await dataSource.query(`INSERT INTO accounts (id, name, created_at, updated_at)
      SELECT id, id, now(), now() FROM unnest(ARRAY['a', 'b', 'c']) AS id`);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const add = (account: string, name: string, day: number, status = 'pending') =>
    dataSource.query(
      `INSERT INTO domains (id, account_id, name, dkim_status, spf_status, mail_from_status, created_at)
       VALUES ($1 || $2, $1, $2, $4, $4, $4, '2027-01-01Z'::timestamptz + $3 * interval '1 day')`,
      [account, name, day, status],
    );

  it('keeps the verified one, else the oldest, and schedules a check of what is kept', async () => {
    await add('a', 'pending.com', 2);
    await add('b', 'pending.com', 1);
    await add('a', 'verified.com', 1);
    await add('b', 'verified.com', 2, 'failed');
    await add('c', 'verified.com', 3, 'verified');
    await migrate(dataSource);
    expect(
      await dataSource.query(`SELECT id, next_check_at IS NOT NULL AS "isDue", verified_at IS NOT NULL AS "isVerified"
        FROM domains ORDER BY name`),
    ).toEqual([
      { id: 'bpending.com', isDue: true, isVerified: false },
      { id: 'cverified.com', isDue: true, isVerified: true },
    ]);
  });

  it('says which domains several accounts have verified', async () => {
    await add('a', 'both.com', 1, 'verified');
    await add('b', 'both.com', 2, 'verified');
    await add('c', 'both.com', 3);
    await expect(migrate(dataSource)).rejects.toThrow('Several accounts have these domains verified: both.com.');
  });
});
