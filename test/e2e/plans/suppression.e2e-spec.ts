import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ACCEPT } from '../../../src/modules/messages/infrastructure/acceptance/accept.sql.js';
import {
  countSuppressions,
  listSuppressions,
} from '../../../src/modules/suppression/infrastructure/suppression-list.sql.js';
import { REASONS } from '../../../src/modules/suppression/infrastructure/suppression.sql.js';
import type { TestAccount } from '../../support/account.js';
import { TestService } from '../../support/service.js';

const SUPPRESSIONS = 20_000;

describe('Query plans for searching suppressions', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    const other = await service.createAccount();
    await service.query(
      `INSERT INTO suppressions (id, account_id, channel, address, reason, source, created_at)
       SELECT 'c' || lpad(n::text, 24, '0'), CASE WHEN n % 2 = 0 THEN $1 ELSE $2 END, 'email',
         'person' || n || '@' || md5(n::text) || '.example.com', 'manual', 'import', now()
       FROM generate_series(1, $3::integer) n`,
      [account.id, other.id, SUPPRESSIONS],
    );
    await service.database.queryWithoutTimeout('VACUUM ANALYZE');
  });
  afterAll(() => service.stop());

  const plans = (search: string): Promise<string[]> =>
    Promise.all(
      [listSuppressions(account.id, { search }, { page: 1, limit: 25 }), countSuppressions(account.id, { search })].map(
        async ({ text, values }) => {
          const rows = await service.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, values);
          return rows.map((row) => row['QUERY PLAN']).join('\n');
        },
      ),
    );

  it.each(['person7772@', 'person7772@bücher'])(
    'find %s by its trigrams, and look at few other rows',
    async (search) => {
      for (const plan of await plans(search)) {
        expect(plan).toMatch(/Bitmap Index Scan on ix_suppressions_search/);
        expect(plan).not.toMatch(/Seq Scan on suppressions/);
        const rows = [...plan.matchAll(/actual rows=(\d+)/g)].map(([, count]) => Number(count));
        expect(Math.max(...rows)).toBeLessThanOrEqual(25);
      }
    },
  );

  it('look up the recipient of a message by unique keys, also in the generic plan of the prepared statement', async () => {
    const rows = await service.database.run(async () => {
      await service.query('SET LOCAL plan_cache_mode = force_generic_plan');
      return service.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${ACCEPT}`, ['[]', [account.id], '2026-01-01', null]);
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan using uq_suppressions_account_channel_address on suppressions/);
    expect(plan).toMatch(/Index (Only )?Scan using uq_suppressions_address_hash on suppressions/);
    expect(plan).not.toMatch(/Seq Scan on suppressions/);
  });

  it('look up the addresses of an import, and whether any is erased, by unique keys', async () => {
    const addresses = Array.from({ length: 500 }, (_, n) => `new${n}@example.com`);
    const rows = await service.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${REASONS}`, [account.id, 'email', addresses]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan using uq_suppressions_account_channel_address on suppressions/);
    expect(plan).toMatch(/Index (Only )?Scan using uq_suppressions_address_hash on suppressions/);
    expect(plan).not.toMatch(/Seq Scan on suppressions/);
  });
});
