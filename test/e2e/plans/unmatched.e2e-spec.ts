import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { MatchEvents } from '../../../src/modules/provider-events/application/match-events.service.js';
import { DUE_ACCOUNTS, TAKE_DUE } from '../../../src/modules/provider-events/infrastructure/unmatched-event.sql.js';
import { type PlanNode, rowsReadBy, withChildren } from '../../support/query-plans.js';
import { TestService } from '../../support/service.js';

const OF_ONE = 60_000;
const ACCOUNTS = 100;
const OF_OTHERS = 10;
const SHARE = 50;
/** The events of an account in one transaction. */
const BATCH_SIZE = 500;

describe('Among many unmatched events', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    await service.query(SEED, ['many', OF_ONE, '1 hour']);
    for (let i = 0; i < ACCOUNTS; i++) await service.query(SEED, [`other-${i}`, OF_OTHERS, '1 hour']);
    await service.query('ANALYZE unmatched_events');
  });
  afterAll(() => service.stop());

  async function rowsRead(text: string, values: unknown[]): Promise<number> {
    const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    return withChildren(row!['QUERY PLAN'][0].Plan)
      .filter((node) => node['Relation Name'] === 'unmatched_events' && node['Node Type'].includes('Scan'))
      .map(rowsReadBy)
      .reduce((sum, rows) => sum + rows, 0);
  }
  const makeDue = (accountId: string, events: number) =>
    service.query(
      `UPDATE unmatched_events SET next_match_at = now() - interval '1 minute'
       WHERE account_id = $1 AND id IN (SELECT id FROM unmatched_events WHERE account_id = $1 ORDER BY id LIMIT $2)`,
      [accountId, events],
    );

  it('the search for due accounts reads one while nothing is due', async () => {
    expect(await rowsRead(DUE_ACCOUNTS, [new Date()])).toBeLessThan(5);
  });

  it('the search for due accounts reads one event of each, and a batch what it takes', async () => {
    await makeDue('many', OF_ONE);
    await makeDue('other-7', 3);
    expect(await rowsRead(DUE_ACCOUNTS, [new Date()])).toBeLessThan(ACCOUNTS + 10);
    expect(await rowsRead(TAKE_DUE, [new Date(), ['many', 'other-7', 'other-8'], SHARE])).toBeLessThan(2 * SHARE);
  });

  it('those of an account that became due later do not wait for all of another', async () => {
    await service.query(`UPDATE unmatched_events SET next_match_at = now() + interval '1 day'`);
    await makeDue('many', 10 * BATCH_SIZE);
    // A second ago, for the clock of the process may be behind that of the database.
    await service.query(
      `UPDATE unmatched_events SET next_match_at = now() - interval '1 second' WHERE account_id = 'other-7'`,
    );
    await service.app.get(MatchEvents, { strict: false }).match(new AbortController().signal, () => undefined);
    const transactions = await service.query<{ accounts: string[] }>(
      `SELECT array_agg(DISTINCT account_id) AS accounts FROM unmatched_events
       WHERE next_match_at < now() + interval '2 hours' GROUP BY xmin::text::bigint ORDER BY xmin::text::bigint`,
    );
    expect(transactions.length).toBeGreaterThan(9);
    expect(transactions[0]?.accounts).toEqual(['many', 'other-7']);
  });
});

/** $1 account, $2 events, $3 when they become due. */
const SEED = `
  INSERT INTO unmatched_events (id, account_id, provider, provider_message_id, type, occurred_at, data, received_at,
    match_until, next_match_at)
  SELECT 'e' || n, $1, 'ses', $1 || n, 'delivered', now(), '{}', now() - interval '2 hours',
    now() + interval '1 day', now() + $3::interval
  FROM generate_series(1, $2::integer) n`;
