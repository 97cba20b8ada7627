import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  ACCEPT,
  ACCEPT_GROUPS,
  ACCEPT_ONCE,
} from '../../../src/modules/messages/infrastructure/acceptance/accept.sql.js';
import { TestService } from '../../support/service.js';

/** So many that autovacuum analyses the tables, which fit into one or two pages. */
const ROWS = 60;

/** A prepared statement keeps its plan while a large import makes a small table large. */
describe('Query plans for accepting messages, made while there are few contacts and suppressions', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    const { id } = await service.createAccount();
    await service.query(
      `INSERT INTO suppressions (id, account_id, channel, address, reason, source, created_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, 'email', 'person' || n || '@example.com', 'manual', 'import', now()
       FROM generate_series(1, $2::integer) n`,
      [id, ROWS],
    );
    await service.query(
      `INSERT INTO contacts (id, account_id, email, normalised_email, tags, list_ids, status, created_at, updated_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, email, email, '{}', '{}', 'active', now(), now()
       FROM (SELECT n, 'person' || n || '@example.com' AS email FROM generate_series(1, $2::integer) n) numbered`,
      [id, ROWS],
    );
    await service.database.queryWithoutTimeout('VACUUM ANALYZE contacts, suppressions');
  });
  afterAll(() => service.stop());

  const genericPlan = async (text: string, values: unknown[]): Promise<string> => {
    const rows = await service.database.run(async () => {
      await service.query('SET LOCAL plan_cache_mode = force_generic_plan');
      return service.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it.each([
    ['ACCEPT', ACCEPT],
    ['ACCEPT_ONCE', ACCEPT_ONCE],
  ])('%s looks each recipient up by unique keys', async (_, text) => {
    const plan = await genericPlan(text, ['[]', [], '2026-01-01', null]);
    expect(plan).toMatch(/Index Scan using uq_contacts_account_email on contacts/);
    expect(plan).toMatch(/Index Only Scan using uq_suppressions_account_channel_address on suppressions/);
    expect(plan).not.toMatch(/Seq Scan on contacts/);
    expect(plan).not.toMatch(/SubPlan(?:(?!Index).)*Seq Scan on suppressions/s);
  });

  it('reads the suppressions of erased addresses once for all messages', async () => {
    const plan = await genericPlan(ACCEPT, ['[]', [], '2026-01-01', null]);
    expect(plan).toMatch(/Hash {2}\(.*\n +-> {2}Seq Scan on suppressions erased/);
  });

  it('ACCEPT_GROUPS looks each contact up by its unique key', async () => {
    const plan = await genericPlan(ACCEPT_GROUPS, ['[]', [], '2026-01-01', null, '[]', '\\x']);
    expect(plan).toMatch(/Index Scan using uq_contacts_account_email on contacts/);
    expect(plan).not.toMatch(/Seq Scan on contacts/);
  });
});
