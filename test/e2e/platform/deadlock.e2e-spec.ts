import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';

import { createDataSource } from '../../../src/platform/database/data-source.js';
import { Database } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { waitFor } from '../../support/wait-for.js';

describe('A statement of its own', () => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    dataSource = await createDataSource(testDatabase.url, [], 3).initialize();
    await dataSource.query('CREATE TABLE counters (id int PRIMARY KEY, used int)');
    await dataSource.query('INSERT INTO counters VALUES (1, 0), (2, 0)');
  });
  afterEach(async () => {
    await dataSource.destroy();
    await testDatabase.drop();
  });

  it('is repeated when PostgreSQL ends it because of a deadlock', async () => {
    const database = new Database(dataSource);
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('UPDATE counters SET used = used + 1 WHERE id = 2');
    const statement = database.prepared<{ used: number }>('add', ADD_IN_ORDER, []);
    await waitFor('the statement to wait', async () => (await dataSource.query<unknown[]>(WAITING))[0]);
    // The statement has waited for longer, so it is the one that notices the deadlock and is ended.
    await runner.query('UPDATE counters SET used = used + 1 WHERE id = 1');
    await runner.commitTransaction();
    await runner.release();
    expect(await statement).toEqual([{ used: 2 }, { used: 2 }]);
  });
});

/** Locks the first row before it waits for the second. */
const ADD_IN_ORDER = `
  UPDATE counters c SET used = used + 1 FROM (SELECT id FROM counters ORDER BY id FOR UPDATE) locked
  WHERE c.id = locked.id RETURNING c.used`;
const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
