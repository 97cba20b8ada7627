import dns from 'node:dns';
import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Client, Pool } from 'pg';
import type { DataSource } from 'typeorm';

import { createDataSource } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { isDatabaseUnavailable, POSTGRES_FAULTS } from '../../src/platform/database/postgres-errors.js';
import { PooledClient, queryOrClose, queryWithin } from '../../src/platform/database/pooled-client.js';
import { Batcher } from '../../src/concurrency/batcher.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ReplicatedPostgres } from '../support/standby.js';
import { waitFor } from '../support/wait-for.js';

const TIMEOUT_MS = 200;
/** Longer than all that a statement may take with that timeout. */
const PAUSE_MS = 2_000;
const CANCELED = { code: '57014' };
const INSERT = { name: 'insert', text: 'INSERT INTO things VALUES ($1)', values: [1] };

/** As the data source creates it. Its connections may still be closing when the server stops. */
const openPool = (connectionString: string) =>
  new Pool({ Client: PooledClient, pipeline: true, connectionString, max: 1 }).on('error', () => undefined);

describe('A statement that is canceled after a time', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = openPool(database.url);
    await pool.query('CREATE TABLE things (id integer)');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await pool.end();
    await database.drop();
  });

  it('succeeds if it was answered while this process was paused', async () => {
    const acquired = once(pool, 'acquire');
    const result = queryWithin(pool, TIMEOUT_MS, INSERT);
    await acquired;
    await new Promise(setImmediate); // sent
    pauseThisProcess();
    expect(await result).toMatchObject({ rowCount: 1 });
    expect((await pool.query('SELECT FROM things')).rowCount).toBe(1);
  });

  it('is canceled on the server of its connection, although the name of the host has another address by now', async () => {
    let address = '127.0.0.1';
    const answer = (_: string, __: object, callback: (error: null, found: dns.LookupAddress[]) => void) => {
      callback(null, [{ address, family: 4 }]);
    };
    jest.spyOn(dns, 'lookup').mockImplementation(answer as unknown as typeof dns.lookup);
    const named = new URL(database.url);
    named.hostname = 'database.test';
    const namedPool = openPool(named.href);
    await namedPool.query('SELECT');
    address = '127.0.0.2';
    await expect(queryWithin(namedPool, TIMEOUT_MS, { text: 'SELECT pg_sleep(60)' })).rejects.toMatchObject(CANCELED);
    await namedPool.end();
  });

  it('is the last one of its connection in a transaction: the next one would be canceled instead', async () => {
    const client = await pool.connect();
    const slow = {
      get text() {
        pauseThisProcess(TIMEOUT_MS / 2); // after the time has begun
        return 'SELECT pg_sleep(60)';
      },
    };
    const failed = await queryOrClose(client, TIMEOUT_MS, slow).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failed)).toBe(true);
    await expect(client.query('SELECT')).rejects.toThrow('not queryable');
    client.release(true);
  });
});

describe('A batch with a row that somebody has locked', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource(database.url, [], 3).initialize();
    await dataSource.query('CREATE TABLE things (id integer PRIMARY KEY, changes integer NOT NULL)');
    await dataSource.query('INSERT INTO things SELECT id, 0 FROM generate_series(1, 3) AS id');
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('is written without the row', async () => {
    const service = new Database(dataSource);
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      async (ids) => {
        batches.push(ids);
        await service.prepared('change_things', 'UPDATE things SET changes = changes + 1 WHERE id = ANY ($1)', [ids]);
        return ids;
      },
      { faults: POSTGRES_FAULTS },
    );
    const holder = new Client(database.url);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM things WHERE id = 2 FOR UPDATE');
    const results = await Promise.allSettled([1, 2, 3].map((id) => batcher.add(id)));
    expect(results).toMatchObject([{ value: 1 }, { reason: CANCELED }, { value: 3 }]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
    await holder.end();
    const { rows } = await service.pool.query<{ changes: number }>('SELECT changes FROM things ORDER BY id');
    expect(rows.map(({ changes }) => changes)).toEqual([1, 0, 1]);
  });
});

describe('A commit that waits for a synchronous standby', () => {
  let postgres: ReplicatedPostgres;
  let pool: Pool;

  beforeEach(async () => {
    postgres = await ReplicatedPostgres.start();
    pool = openPool(postgres.url);
    await pool.query('CREATE TABLE things (id integer)');
  });
  afterEach(async () => {
    await pool.end();
    await postgres.stop();
  });

  it('fails as unavailable if it takes too long: the loss of the primary would undo it', async () => {
    await pool.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await pool.query('SELECT pg_reload_conf()');
    const isSynchronous = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`;
    await waitFor('the standby to be synchronous', async () => (await pool.query(isSynchronous)).rowCount === 1);
    expect(await pool.query(INSERT)).toMatchObject({ rowCount: 1 });
    await postgres.stopStandby();
    const failed = await queryWithin(pool, TIMEOUT_MS, INSERT).catch((error: unknown) => error);
    expect(failed).toMatchObject({ cause: { message: expect.stringContaining('synchronous replication') } });
    expect(isDatabaseUnavailable(failed)).toBe(true);
  });
});

/** As SIGSTOP does: timers end and answers arrive, and nobody notices. */
function pauseThisProcess(ms = PAUSE_MS): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
