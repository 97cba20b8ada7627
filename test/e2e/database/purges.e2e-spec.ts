import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ImportRepository } from '../../../src/modules/imports/application/ports/import.repository.js';
import { MatchEvents } from '../../../src/modules/provider-events/application/match-events.service.js';
import type { TestAccount } from '../../support/account.js';
import { lockRows } from '../../support/lock-rows.js';
import { TestService } from '../../support/service.js';

const MANY = 12_000;
const AT_ONCE = 5_000;

describe('A purge', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    await service.query(
      `CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF (SELECT count(*) FROM gone) > ${AT_ONCE} THEN RAISE 'too many rows in one statement'; END IF; RETURN NULL;
       END $$`,
    );
    for (const table of ['seen_reports', 'unmatched_events', 'contact_imports', 'contact_import_chunks'])
      for (const change of ['DELETE', 'UPDATE'])
        await service.query(
          `CREATE TRIGGER refuse_many_${change} AFTER ${change} ON ${table} REFERENCING OLD TABLE AS gone
           FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`,
        );
  });
  afterAll(() => service.stop());

  const purge = () => service.app.get(MatchEvents, { strict: false }).purgeExpired();
  const keys = async (table: string, column: string) =>
    (await service.query<{ key: string }>(`SELECT ${column} AS key FROM ${table}`)).map(({ key }) => key);
  const old = (days: number) => new Date(service.clock.now().getTime() - days * 86_400_000);

  it('deletes what has grown for long in several statements, and leaves locked rows for the next time', async () => {
    await service.query(
      `INSERT INTO seen_reports (account_id, key, meaning, seen_at)
       SELECT $1, 'old ' || n, '', $2::timestamptz FROM generate_series(1, $3::integer) n
       UNION ALL SELECT $1, 'new', '', $4::timestamptz`,
      [account.id, old(1_000), MANY, service.clock.now()],
    );
    const unlock = await lockRows(service, 'SELECT FROM seen_reports WHERE key = $1', ['old 1']);
    try {
      await purge();
      expect((await keys('seen_reports', 'key')).sort()).toEqual(['new', 'old 1']);
    } finally {
      await unlock();
    }
    await purge();
    expect(await keys('seen_reports', 'key')).toEqual(['new']);
  });

  it('returns how many events it has deleted in all statements', async () => {
    await service.query(
      `INSERT INTO unmatched_events (id, account_id, provider, type, occurred_at, data, received_at, match_until)
       SELECT 'e' || n, $1, CASE WHEN n <= 100 THEN 'ses' ELSE 'smtp' END, 'delivered', $2, '{}', $2, $2
       FROM generate_series(1, $3::integer) n`,
      [account.id, old(1_000), MANY],
    );
    const expired = await purge();
    expect(new Map(expired.map(({ provider, count }) => [provider, count]))).toEqual(
      new Map([
        ['ses', 100],
        ['smtp', MANY - 100],
      ]),
    );
    expect(await keys('unmatched_events', 'id')).toEqual([]);
  });

  it('fails unfinished imports in several statements, and deletes their files and abandoned uploads', async () => {
    await service.query(
      `INSERT INTO contact_imports (id, account_id, state, lease_ends_at, created_at)
       SELECT 'i' || n, $1, CASE WHEN n <= $3 THEN 'queued' ELSE 'uploading' END, $2, $2
       FROM generate_series(1, 2 * $3::integer) n`,
      [account.id, old(2), MANY],
    );
    await service.query(
      `INSERT INTO contact_import_chunks (import_id, number, bytes) SELECT id, 0, '' FROM contact_imports`,
    );
    await service.app.get(ImportRepository, { strict: false }).purgeExpiredAcrossAccounts(service.clock.now());
    expect(await service.query('SELECT state, count(*)::integer FROM contact_imports GROUP BY 1')).toEqual([
      { state: 'failed', count: MANY },
    ]);
    expect(await keys('contact_import_chunks', 'import_id')).toEqual([]);
  });
});
