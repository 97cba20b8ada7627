import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';

import { createDataSource } from '../../../src/platform/database/data-source.js';
import { Database } from '../../../src/platform/database/database.js';
import { isDatabaseUnavailable } from '../../../src/platform/database/postgres-errors.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('A transaction of a process that is paused within it', () => {
  let database: TestDatabase;
  let paused: DataSource;
  let other: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase();
    paused = await createDataSource(database.url, [], 1).initialize();
    other = await createDataSource(database.url, [], 1).initialize();
    await other.query('CREATE TABLE counters (used int); INSERT INTO counters VALUES (0)');
  });
  afterEach(async () => {
    await paused.destroy();
    await other.destroy();
    await database.drop();
  });

  it('loses its locks before hot statements of other processes time out, and fails as unavailable', async () => {
    const [mine, theirs] = [new Database(paused), new Database(other)];
    const add = (database: Database) => database.prepared('add', 'UPDATE counters SET used = used + 1', []);
    const transaction = mine.run(async () => {
      await add(mine);
      await add(theirs);
      await add(mine);
    });
    expect(await transaction.catch(isDatabaseUnavailable)).toBe(true);
    expect(await other.query('SELECT used FROM counters')).toEqual([{ used: 1 }]);
    expect(await mine.run(() => add(mine))).toEqual([]);
  });
});
