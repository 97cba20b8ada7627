import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { LIST } from '../../../src/modules/webhooks/infrastructure/webhook-delivery.sql.js';
import type { TestAccount } from '../../support/account.js';
import { WebhookFixture } from '../../support/webhook-fixture.js';

const DELIVERIES = 20_000;
const LIMIT = 25;

describe('The plans of listing webhook deliveries', () => {
  let fixture: WebhookFixture;
  let account: TestAccount;
  let endpointId: string;

  beforeAll(async () => {
    fixture = await WebhookFixture.start({ ROLE: 'api' });
    account = await fixture.service.createAccount();
    ({ id: endpointId } = await fixture.addEndpoint(account));
    await fixture.service.query(
      `INSERT INTO webhook_deliveries
         (id, account_id, endpoint_id, event_id, event, body, state, attempts, created_at, completed_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, $2, n, 'contact.bounced', '{}',
         CASE WHEN n = 7 THEN 'failed' ELSE 'delivered' END, 1, now(), now() FROM generate_series(1, $3::integer) AS n`,
      [account.id, endpointId, DELIVERIES],
    );
    await fixture.service.database.queryWithoutTimeout('VACUUM ANALYZE webhook_deliveries');
  });
  afterAll(() => fixture.stop());

  it.each([null, 'delivered', 'failed', 'retrying'])('read no more than a page of state %p', async (state) => {
    const rows = await fixture.service.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${LIST}`, [
      account.id,
      endpointId,
      state,
      null,
      LIMIT,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan|Rows Removed by Filter: \d{3}/);
    expect(Math.max(...[...plan.matchAll(/actual rows=(\d+)/g)].map(([, count]) => Number(count)))).toBeLessThanOrEqual(
      LIMIT,
    );
  });
});
