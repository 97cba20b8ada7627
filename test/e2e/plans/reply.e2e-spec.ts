import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { StoreReply } from '../../../src/modules/provider-events/index.js';
import type { TestAccount } from '../../support/account.js';
import { type PlanNode, rowsReadBy, withChildren } from '../../support/query-plans.js';
import { TestService } from '../../support/service.js';

const FORGOTTEN = 20_000;
const RECENT = 2_000;
const OLD = 3;

describe('Among many replies of which only the id is left, the purge', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    for (const [name, rows, sender, age] of [
      ['forgotten', FORGOTTEN, '', '20 months'],
      ['recent', RECENT, '+14155550100', '1 day'],
      ['old', OLD, '+14155550100', '20 months'],
    ])
      await service.query(SEED, [account.id, name, rows, sender, age]);
    await service.database.queryWithoutTimeout('VACUUM ANALYZE sms_replies');
  });
  afterAll(() => service.stop());

  it('reads those alone that are due', async () => {
    const changes = jest.spyOn(service.database, 'query').mockResolvedValue([]);
    await service.app.get(StoreReply, { strict: false }).purgeExpired();
    const statements = [...changes.mock.calls];
    changes.mockRestore();
    expect(statements).toHaveLength(3);
    for (const [text, values] of statements) {
      const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      const scans = withChildren(row!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'sms_replies');
      expect(Math.max(...scans.map(rowsReadBy))).toBeLessThanOrEqual(OLD);
    }
    const left = await service.query("SELECT id FROM sms_replies WHERE received_at < now() - interval '1 month'");
    expect(left).toHaveLength(FORGOTTEN + OLD);
    expect(await service.query(`SELECT id FROM sms_replies WHERE sender = ''`)).toHaveLength(FORGOTTEN + OLD);
  });
});

/** $1 account, $2 name, $3 rows, $4 sender, $5 age. */
const SEED = `
  INSERT INTO sms_replies (id, account_id, provider_message_id, sender, recipient, body, received_at, request)
  SELECT $2 || n, $1, $2 || n, $4, $4, nullif($4, ''), now() - $5::interval, 'stop'
  FROM generate_series(1, $3::integer) n`;
