import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';

import { createDataSource } from '../../../src/platform/database/data-source.js';
import { DatabaseClock } from '../../../src/platform/database/database-clock.js';
import { Database } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

const HOUR_MS = 3_600_000;
/** What is tested is an hour. How exact the clock is depends on the machine; its unit spec has that. */
const TOLERANCE_MS = HOUR_MS / 2;

describe('DatabaseClock', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let clock: DatabaseClock;

  beforeEach(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource(database.url, [], 2).initialize();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    clock.onApplicationShutdown();
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  const start = async () => (clock = await DatabaseClock.start(new Database(dataSource)));
  const shiftHost = (shiftMs: number) => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
  };
  const errorMs = async () => {
    const [{ at }] = await dataSource.query<[{ at: Date }]>('SELECT clock_timestamp() AS at');
    return Math.abs(at.getTime() - clock.now().getTime());
  };

  it.each([HOUR_MS, -HOUR_MS])(
    'shows the time of the database where that of the host is %d ms off',
    async (shiftMs) => {
      shiftHost(shiftMs);
      await start();
      expect(await errorMs()).toBeLessThan(TOLERANCE_MS);
    },
  );

  it('does not follow when somebody sets the clock of the host', async () => {
    await start();
    shiftHost(HOUR_MS);
    expect(await errorMs()).toBeLessThan(TOLERANCE_MS);
    await clock.synchronise();
    expect(await errorMs()).toBeLessThan(TOLERANCE_MS);
  });

  it('is right once it has caught up after a pause of the machine, in which the monotonic clock stopped', async () => {
    await start();
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() - HOUR_MS);
    await clock.catchUp();
    expect(await errorMs()).toBeLessThan(TOLERANCE_MS);
  });

  it('does not say that it has caught up while the database is away', async () => {
    await start();
    await dataSource.destroy();
    await clock.catchUp();
    shiftHost(HOUR_MS);
    await expect(clock.catchUp()).rejects.toThrow();
  });

  it('goes on while the database is away', async () => {
    await start();
    const before = clock.now().getTime();
    await dataSource.destroy();
    expect(await clock.synchronise()).toBe(false);
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
    expect(clock.now().getTime() - before).toBeLessThan(TOLERANCE_MS);
  });
});
