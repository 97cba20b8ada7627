import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

import { MIGRATIONS } from '../../../migrations/index.js';
import { ENTITIES } from '../../../src/modules/entities.js';
import { createDataSource, migrate } from '../../../src/platform/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { waitFor } from '../../support/wait-for.js';

class NeedALock1899000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD needed_a_lock integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP needed_a_lock');
  }
}

/** Locks two tables, the second once somebody waits for the first. */
class NeedTwoLocks1899000000000 implements MigrationInterface {
  private isFirst = true;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE lists');
    if (this.isFirst)
      await waitFor('somebody to wait for the first table', async () => {
        const waiting = `SELECT FROM pg_locks WHERE relation = 'lists'::regclass AND NOT granted`;
        return ((await runner.query(waiting)) as unknown[]).length > 0;
      });
    this.isFirst = false;
    await runner.query('LOCK TABLE accounts');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

describe('Migrations', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('template0');
    dataSource = await createDataSource(database.url, ENTITIES, 4).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const undoAll = async () => {
    for (let left = dataSource.migrations.length; left > 0; left--) await dataSource.undoLastMigration();
  };
  const tables = async () =>
    (
      await dataSource.query<{ name: string }[]>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
      )
    ).map(({ name }) => name);

  it('go up, down and up again', async () => {
    await migrate(dataSource);
    const all = await tables();
    expect(all).toContain('message_logs');
    await undoAll();
    expect(await tables()).toEqual(['migrations']);
    await migrate(dataSource);
    expect(await tables()).toEqual(all);
  });

  it('create the tables that the entities describe', async () => {
    await migrate(dataSource);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('say what to do if the user may not create an extension', async () => {
    await undoAll();
    await dataSource.query('DROP EXTENSION btree_gin, pg_trgm');
    const [{ name }] = await dataSource.query<[{ name: string }]>('SELECT current_database() AS name');
    const role = `limited_${name}`;
    await dataSource.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'; GRANT ALL ON SCHEMA public TO ${role}`);
    await dataSource.query(`ALTER TABLE migrations OWNER TO ${role}`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'limited' });
    const limited = await createDataSource(url.href, [], 2).initialize();
    try {
      await expect(migrate(limited)).rejects.toThrow(
        /^The database .* cannot be used: The search for messages needs PostgreSQL's extension pg_trgm, which could not be created: permission denied.*"CREATE EXTENSION pg_trgm;" in this database, then start again\.$/,
      );
    } finally {
      await limited.destroy();
      await dataSource.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
      await dataSource.query('DROP TABLE IF EXISTS migrations');
    }
  });

  it('refuse a PostgreSQL that is too old, and say which one it is', async () => {
    await dataSource.query(`CREATE SCHEMA older; CREATE FUNCTION older.current_setting(name text) RETURNS text
      RETURN CASE name WHEN 'server_version_num' THEN '130023' WHEN 'server_version' THEN '13.23' END`);
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=older,pg_catalog,public');
    const older = await createDataSource(url.href, [], 2).initialize();
    await expect(migrate(older)).rejects.toThrow(
      `The database ${url.host}${url.pathname} (DATABASE_URL) cannot be used: it is PostgreSQL 13.23, and the service needs 14 or later`,
    );
    await older.destroy();
    await dataSource.query('DROP SCHEMA older CASCADE');
  });

  it('can be run by several processes at once', async () => {
    await undoAll();
    const others = await Promise.all([1, 2, 3].map(() => createDataSource(database.url, [], 2).initialize()));
    await Promise.all(others.map((other) => migrate(other)));
    await Promise.all(others.map((other) => other.destroy()));
    expect(await tables()).toContain('message_logs');
  });

  it('do not hold up the statements of others while a long transaction has the lock that they need', async () => {
    await migrate(dataSource);
    const options = { ...dataSource.options, migrations: [...MIGRATIONS, NeedALock1899000000000] };
    const warnings: string[] = [];
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT FROM accounts');
    const migrated = migrate(new DataSource(options), (line) => warnings.push(line));
    await waitFor('the migration to wait for the lock', async () => {
      const waiting = `SELECT FROM pg_locks WHERE relation = 'accounts'::regclass AND NOT granted`;
      return (await dataSource.query<unknown[]>(waiting)).length > 0;
    });
    await dataSource.query('SELECT FROM accounts'); // queues behind the migration
    await waitFor('the migration to give up for now', () => warnings.length > 0);
    await holder.commitTransaction();
    await holder.release();
    await migrated;
    expect(warnings[0]).toContain('canceling statement due to lock timeout');
    await dataSource.query('ALTER TABLE accounts DROP needed_a_lock');
    await dataSource.query(`DELETE FROM migrations WHERE name = $1`, [NeedALock1899000000000.name]);
  });

  it('start again after a deadlock with a transaction that locks the same tables in another order', async () => {
    const options = { ...dataSource.options, migrations: [...MIGRATIONS, NeedTwoLocks1899000000000] };
    const warnings: string[] = [];
    const holder = dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SET LOCAL deadlock_timeout = '1h'`); // the migration is the one that notices
    await holder.query('SELECT FROM accounts');
    const migrated = migrate(new DataSource(options), (line) => warnings.push(line));
    await waitFor('the migration to have its first lock', async () => {
      const held = `SELECT FROM pg_locks WHERE relation = 'lists'::regclass AND mode = 'AccessExclusiveLock' AND granted`;
      return (await dataSource.query<unknown[]>(held)).length > 0;
    });
    await holder.query('SELECT FROM lists');
    await holder.commitTransaction();
    await holder.release();
    await migrated;
    expect(warnings).toEqual([expect.stringContaining('deadlock detected')]);
    await dataSource.query(`DELETE FROM migrations WHERE name = $1`, [NeedTwoLocks1899000000000.name]);
  });

  it('wait for those of another process for longer than a statement may take', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.query('SELECT pg_advisory_lock(7203114)');
    const { options } = createDataSource(database.url, [], 2);
    const hurried = await new DataSource({ ...options, extra: { statement_timeout: 1_000 } }).initialize();
    const migrated = migrate(hurried);
    const outcome = await Promise.race([
      migrated.then(
        () => 'ended',
        () => 'failed',
      ),
      waitFor('PostgreSQL to have let it wait for longer', async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
          AND clock_timestamp() - query_start > interval '1 second'`;
        return (await dataSource.query<unknown[]>(waiting)).length > 0 && 'waits';
      }),
    ]);
    await holder.query('SELECT pg_advisory_unlock(7203114)');
    await holder.release();
    expect(outcome).toBe('waits');
    await migrated;
    expect(await hurried.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '1s' }]);
    await hurried.destroy();
  });
});
