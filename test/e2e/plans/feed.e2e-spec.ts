import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { EventFeed } from '../../../src/modules/messages/application/ports/event-feed.js';
import { MessagePartitions } from '../../../src/modules/messages/application/ports/message-maintenance.js';
import { FEED_START } from '../../../src/modules/messages/domain/event-feed.js';
import { newId } from '../../../src/shared/ids.js';
import { monthAfter, monthOf } from '../../../src/shared/utc.js';
import { type PlanNode, rowsReadBy, withChildren } from '../../support/query-plans.js';
import { TestService } from '../../support/service.js';

const EVENTS = 20_000;
const [ACCOUNT, QUIET, KEY] = Array.from({ length: 3 }, () => newId(new Date())) as [string, string, string];
const MONTHS = [monthAfter(monthOf(new Date()), -1), monthOf(new Date())];
const ALL = { apiKeyId: null, types: null };

/** Events of two months, nearly all of one account. */
describe('Plans of the event feed', () => {
  let service: TestService;
  let feed: EventFeed;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    await service.app.get(MessagePartitions, { strict: false }).ensure(MONTHS[0]!, 2);
    for (const [i, month] of MONTHS.entries()) {
      const ids = Array.from({ length: EVENTS / 2 }, (_, j) => newId(new Date(month.getTime() + j * 60_000)));
      await service.query(MESSAGES, [ids, ACCOUNT, KEY]);
      await service.query(RECORD, [ids, ACCOUNT, QUIET, i + 1]);
    }
    await service.query('UPDATE event_feed SET xid_offset = xid_offset + 1000000'); // so that all of them are visible
    await service.database.queryWithoutTimeout('VACUUM ANALYZE');
    feed = service.app.get(EventFeed, { strict: false });
  });
  afterAll(() => service.stop());

  /** The scans of events and messages, with the number of rows that each has read. */
  async function scansOf(read: () => Promise<unknown>): Promise<{ node: string; rows: number }[]> {
    const spy = jest.spyOn(service.database, 'readFromPrimary');
    await read();
    const calls = [...spy.mock.calls];
    spy.mockRestore();
    expect(calls).toHaveLength(1);
    const [text, values] = calls[0]!;
    const [row] = await service.database.readFromPrimary<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    return withChildren(row!['QUERY PLAN'][0].Plan)
      .filter((node) => /^(email_events|message_logs)_/.test(node['Relation Name'] ?? ''))
      .map((node) => ({ node: node['Node Type'], rows: rowsReadBy(node) }));
  }

  const middle = { transaction: 10_000n, id: '' };

  it.each([
    ['the first page', () => feed.read(ACCOUNT, ALL, FEED_START, 100), 100],
    ['a page in the middle', () => feed.read(ACCOUNT, ALL, middle, 100), 100],
    ['a page of a key', () => feed.read(ACCOUNT, { ...ALL, apiKeyId: KEY }, middle, 100), 500],
    ['a page of a rare type', () => feed.read(ACCOUNT, { ...ALL, types: ['complained'] }, middle, 100), 500],
    ['the page of a quiet account', () => feed.read(QUIET, ALL, FEED_START, 100), 100],
    ['the end', () => feed.end(ACCOUNT), 1],
    ['the news', () => feed.readNewsAcrossAccounts(new Map([[ACCOUNT, middle], [QUIET, FEED_START]])), 250], // prettier-ignore
  ])('read %s from an index, and little more', async (_, read, atMost) => {
    const scans = await scansOf(read);
    expect(scans.length).toBeGreaterThan(0);
    for (const { node, rows } of scans) {
      if (node.includes('Seq Scan'))
        expect(rows).toBe(0); // of an empty partition
      else expect(rows).toBeLessThanOrEqual(atMost + MONTHS.length);
    }
  });
});

const MESSAGES = `
  INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, api_key_id, created_at)
  SELECT id, $2, 'email', 'sent', 'a@example.org', 'a@example.org', 'shop@example.com', $3, now()
  FROM unnest($1::text[]) AS m (id)`;

/** $4 1 or 2: positions alternate between the months. */
const RECORD = `
  INSERT INTO email_events (message_id, id, type, occurred_at, account_id, position)
  SELECT id, id, CASE WHEN n % 5000 = 0 THEN 'complained' ELSE 'delivered' END, now(),
    CASE WHEN n % 1000 = 0 THEN $3 ELSE $2 END, (2 * n + $4::integer)::bigint
  FROM unnest($1::text[]) WITH ORDINALITY AS m (id, n)`;
