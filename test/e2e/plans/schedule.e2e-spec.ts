import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  BACKLOG,
  CANCEL,
  RELEASE,
  RESCHEDULE,
  TAKE_OVERDUE,
} from '../../../src/modules/messages/infrastructure/delivery/delivery.sql.js';
import { STATUSES } from '../../../src/modules/messages/infrastructure/queries/message-rows.sql.js';
import { newId } from '../../../src/shared/ids.js';
import { type PlanNode, rowsReadBy, withChildren } from '../../support/query-plans.js';
import { TestService } from '../../support/service.js';

const SCHEDULED = 60_000;
const PLAIN = 200;
const DUE = 5_000;
const LIMIT = 100;

describe('Among many scheduled messages', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    await service.query(SEED, [SCHEDULED, PLAIN]);
    await service.query('ANALYZE pending_deliveries');
  });
  afterAll(() => service.stop());

  /** How many pending deliveries the statement reads; what it writes is rolled back. */
  async function rowsRead(text: string, values: unknown[]): Promise<number> {
    let plan: PlanNode | undefined;
    const rollback = new Error();
    await service.database
      .run(async () => {
        const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        );
        plan = row!['QUERY PLAN'][0].Plan;
        throw rollback;
      })
      .catch((error: unknown) => {
        if (error !== rollback) throw error;
      });
    return withChildren(plan!)
      .filter((node) => node['Relation Name'] === 'pending_deliveries' && node['Node Type'].includes('Scan'))
      .map(rowsReadBy)
      .reduce((sum, rows) => sum + rows, 0);
  }

  const now = new Date();
  const account = 'a1';
  const ids = [newId(now), newId(now)];
  const release = () => rowsRead(RELEASE, [new Date(now.getTime() + 300_000), [], LIMIT, 2 * LIMIT]);

  it.each([
    ['release', release],
    ['sweep', () => rowsRead(TAKE_OVERDUE.others, [now, now, LIMIT])],
    ['sweep of campaigns', () => rowsRead(TAKE_OVERDUE.bulk, [now, now, LIMIT])],
    ['cancellation', () => rowsRead(CANCEL, [account, ids, null, now, ids])],
    ['rescheduling', () => rowsRead(RESCHEDULE, [account, ids.slice(1), null, now, now, now])],
    ['look at a status', () => rowsRead(STATUSES, [account, ids, null])],
  ])('the %s reads few of them', async (_, read) => {
    expect(await read()).toBeLessThan(50);
  });

  it('the backlog reads those that are not scheduled', async () => {
    expect(await rowsRead(BACKLOG, [now])).toBeLessThan(PLAIN + 50);
  });

  it('the release reads what it takes if many are due', async () => {
    await service.query(
      `UPDATE pending_deliveries SET scheduled_at = now() WHERE message_id IN (
         SELECT message_id FROM pending_deliveries WHERE scheduled_at IS NOT NULL LIMIT $1)`,
      [DUE],
    );
    expect(await release()).toBeLessThan(4 * LIMIT + 50);
  });

  it('neither the release nor the backlog looks at each account while nothing is due', async () => {
    await service.query(
      `UPDATE pending_deliveries SET account_id = 'b' || right(message_id, 3), scheduled_at = now() + interval '1 hour'
       WHERE scheduled_at IS NOT NULL`,
    );
    expect(await release()).toBeLessThan(50);
    expect(await rowsRead(BACKLOG, [now])).toBeLessThan(PLAIN + 50);
  });
});

/** $1: scheduled ones of three accounts, $2: others, which are not overdue. */
const SEED = `
  INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, scheduled_at)
  SELECT 'cs' || n, 'a' || n % 3, 'email', at, at, at
  FROM generate_series(1, $1::integer) n, LATERAL (SELECT now() + interval '1 hour' + n * interval '1 minute' AS at) time
  UNION ALL
  SELECT 'cp' || n, 'a' || n % 3, 'email', '-infinity', now() + interval '1 minute', NULL
  FROM generate_series(1, $2::integer) n`;
