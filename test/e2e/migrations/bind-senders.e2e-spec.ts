import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';

import { ENTITIES } from '../../../src/modules/entities.js';
import { BindSendersToTheirRelay1795313000000 } from '../../../migrations/1795313000000-bind-senders-to-their-relay.js';
import { SharePendingDomainNames1795313000001 } from '../../../migrations/1795313000001-share-pending-domain-names.js';
import { createDataSource, migrate } from '../../../src/platform/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('Migrations of senders and domains', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase('template0');
    dataSource = await createDataSource(database.url, ENTITIES, 2).initialize();
    await migrate(dataSource);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** Undoes the migration and those after it. */
  const undo = async (migration: new () => object) => {
    const first = dataSource.migrations.findIndex((each) => each instanceof migration);
    for (let left = dataSource.migrations.length; left > first; left--) await dataSource.undoLastMigration();
  };
  const addAccount = (id: string, smtp: object | null, changedOnDay: number) =>
    dataSource.query(
      `INSERT INTO accounts (id, name, smtp, created_at, updated_at)
       VALUES ($1, $1, $2, '2027-01-01Z', '2027-01-01Z'::timestamptz + $3 * interval '1 day')`,
      [id, smtp, changedOnDay],
    );

  it('infer the provider that carried the link of a sender, or leave it unknown', async () => {
    await undo(BindSendersToTheirRelay1795313000000);
    await addAccount('unchanged', null, 0);
    await addAccount('changed', null, 20);
    await addAccount('own', { host: 'relay.example.com', port: 587, username: 'acme' }, 20);
    await addAccount('open', { host: '2001:db8::7', port: 25, username: null }, 20);
    await addAccount('ses', null, 20);
    await dataSource.query(`INSERT INTO senders (id, account_id, email, normalised_email, status, set_up_for, created_at)
      SELECT id, id, 'a@example.com', 'a@example.com', 'verified',
        CASE id WHEN 'ses' THEN 'ses:eu-west-1:AKIA' ELSE 'smtp' END, '2027-01-11Z' FROM accounts`);
    await migrate(dataSource);
    const rows = await dataSource.query<{ id: string; provider: string | null }[]>(
      'SELECT id, link_carrier AS provider FROM senders',
    );
    expect(Object.fromEntries(rows.map(({ id, provider }) => [id, provider]))).toEqual({
      unchanged: 'installation',
      changed: null,
      own: 'smtp:relay.example.com:587:acme',
      open: 'smtp:2001:db8::7:25:',
      ses: 'ses:eu-west-1:AKIA',
    });
  });

  it('restore the unique name for the account that has it verified, else for the first', async () => {
    for (const id of ['a', 'b']) await addAccount(id, null, 0);
    await dataSource.query(`INSERT INTO domains (id, account_id, name, dkim_status, spf_status, mail_from_status, created_at)
      VALUES ('1', 'a', 'pending.com', 'pending', 'pending', 'pending', '2027-01-02Z'),
        ('2', 'b', 'pending.com', 'pending', 'pending', 'pending', '2027-01-01Z'),
        ('3', 'a', 'verified.com', 'pending', 'pending', 'pending', '2027-01-01Z'),
        ('4', 'b', 'verified.com', 'verified', 'verified', 'verified', '2027-01-02Z')`);
    await undo(SharePendingDomainNames1795313000001);
    expect(await dataSource.query('SELECT id FROM domains ORDER BY id')).toEqual([{ id: '2' }, { id: '4' }]);
  });
});
