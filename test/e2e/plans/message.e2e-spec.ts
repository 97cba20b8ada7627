import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { MessagePartitions } from '../../../src/modules/messages/application/ports/message-maintenance.js';
import { MessageActivity } from '../../../src/modules/messages/application/ports/message-activity.js';
import { MessageReader } from '../../../src/modules/messages/application/ports/message-reader.js';
import { RECIPIENT_ERASURE, type RecipientErasure } from '../../../src/shared/ports/recipient-erasure.js';
import type { AggregateFilter } from '../../../src/modules/messages/domain/message-filter.js';
import { idPrefix, newId } from '../../../src/shared/ids.js';
import type { NamedStatement } from '../../../src/platform/database/database.js';
import { monthAfter, monthOf } from '../../../src/shared/utc.js';
import { type PlanNode, rowsReadBy, withChildren } from '../../support/query-plans.js';
import { TestService } from '../../support/service.js';

const MESSAGES = 60_000;
const SPACING_MS = 60_000;
const LEASED = 40;
/** The recipient of the second message of each month. */
const RECIPIENT = 'c81e728d9d4c2f636f067f89cc14862c@example.org';
/** The recipient of three messages, in its normalised form. */
const INTERNATIONAL = 'алиса@xn--e1afmkfd.xn--p1ai';
const WAITING = 1_000;
const [ACCOUNT, KEY, CAMPAIGN] = Array.from({ length: 3 }, () => newId(new Date())) as [string, string, string];
const THIS_MONTH = monthOf(new Date());
const LAST_MONTH = monthAfter(THIS_MONTH, -1);
const DAYS = Array.from({ length: 90 }, (_, day) => new Date(LAST_MONTH.getTime() + day * 86_400_000));
const EVERYTHING: AggregateFilter = {
  apiKeyId: null,
  channel: null,
  tag: null,
  topicId: null,
  scheduled: false,
  statuses: null,
  search: null,
  from: null,
  before: null,
  subject: null,
  campaignId: null,
};

/** Most messages belong to one account, most of these to one key; nearly all are delivered; in two months. */
describe('Plans of message queries', () => {
  let service: TestService;
  let reader: MessageReader;
  let activity: MessageActivity;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    await service.app.get(MessagePartitions, { strict: false }).ensure(LAST_MONTH, 3);
    for (const month of [LAST_MONTH, THIS_MONTH]) {
      const times = Array.from({ length: MESSAGES / 2 }, (_, i) => new Date(month.getTime() + i * SPACING_MS));
      await service.query(SEED, [times.map(newId), times, ACCOUNT, KEY, CAMPAIGN]);
    }
    await service.query(QUEUE, [ACCOUNT, LEASED]);
    await service.query(ACTIVITY, [ACCOUNT, CAMPAIGN]);
    await rollUpAll();
    // Also merges the pending lists of the text index, which the service does every 30 seconds at the latest.
    await service.database.queryWithoutTimeout('VACUUM ANALYZE');
    reader = service.app.get(MessageReader, { strict: false });
    activity = service.app.get(MessageActivity, { strict: false });
  });
  afterAll(() => service.stop());

  async function rollUpAll(): Promise<void> {
    const waiting = () => service.query('SELECT FROM message_search_backlog LIMIT 1');
    while ((await waiting()).length > 0) await service.app.get(RollUpMessages, { strict: false }).rollUp();
  }

  async function letTextsWait(): Promise<void> {
    await service.query(
      `INSERT INTO message_search_backlog
       SELECT $1, array_agg(id) FROM (SELECT id FROM message_logs WHERE account_id = $1 ORDER BY id DESC LIMIT $2) newest`,
      [ACCOUNT, WAITING],
    );
    await service.query('ANALYZE message_search_backlog');
  }

  /** The plans, with actual row counts, of all statements of `read`, explained after `prepare`. */
  async function plansOf(read: () => Promise<unknown>, prepare = () => Promise.resolve()): Promise<PlanNode[]> {
    const { database } = service;
    const [queries, reads] = [jest.spyOn(database, 'query'), jest.spyOn(database, 'read')];
    const primaryReads = jest.spyOn(database, 'readFromPrimary');
    await read();
    const statements = [
      ...queries.mock.calls.map(([text, values]) => ({ text, values, via: 'query' as const })),
      ...reads.mock.calls.map(([read, values]) => ({
        text: typeof read === 'string' ? read : read.text,
        values,
        via: 'read' as const,
      })),
      ...primaryReads.mock.calls.map(([text, values]) => ({ text, values, via: 'readFromPrimary' as const })),
    ];
    for (const spy of [queries, reads, primaryReads]) spy.mockRestore();
    await prepare();
    expect(statements.length).toBeGreaterThan(0);
    const plans: PlanNode[] = [];
    for (const { text, values, via } of statements) {
      const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`;
      const [row] = await database[via]<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explain, values);
      plans.push(...withChildren(row!['QUERY PLAN'][0].Plan));
    }
    return plans;
  }

  /** Tables with many rows only: a sequential scan of small tables and empty partitions costs nothing. */
  const wholeTablesRead = (plans: PlanNode[]): string[] =>
    plans
      .filter((node) => node['Node Type'].includes('Seq Scan') && rowsReadBy(node) > 100)
      .map((node) => node['Relation Name'] ?? '')
      .filter((table) => /^(message_(logs|search)|pending_deliveries|campaign_activity)/.test(table));

  const list = (filter: Partial<AggregateFilter>, beforeId: string | null = null) =>
    reader.list(ACCOUNT, { ...EVERYTHING, ...filter }, beforeId, 25);
  const count = (filter: Partial<AggregateFilter>) => reader.count(ACCOUNT, { ...EVERYTHING, ...filter });
  const erase = (email: string) =>
    service.app.get<RecipientErasure>(RECIPIENT_ERASURE.messages, { strict: false }).erasePart(ACCOUNT, email, '');
  const someDays = {
    from: new Date(LAST_MONTH.getTime() + 100 * SPACING_MS),
    before: new Date(LAST_MONTH.getTime() + 5_000 * SPACING_MS),
  };

  it.each([
    ['newest page of the account', () => list({})],
    ['newest page of a key', () => list({ apiKeyId: KEY })],
    ['page of a key that does not send any more', () => list({ apiKeyId: newId(new Date()) })],
    ['page of a rare status', () => list({ statuses: ['complained'] })],
    ['page of several statuses of a key', () => list({ apiKeyId: KEY, statuses: ['queued', 'bounced', 'delivered'] })],
    ['page of a status that no message has', () => list({ statuses: ['suppressed'] })],
    ['page of what is being sent', () => list({ statuses: ['sending'] })],
    ['page of a time', () => list(someDays)],
    ['page of a status of a key in a time', () => list({ apiKeyId: KEY, statuses: ['bounced'], ...someDays })],
    ['page of SMS, which are rare', () => list({ channel: 'sms' })],
    ['page of SMS of a key', () => list({ channel: 'sms', apiKeyId: KEY })],
    ['page of e-mails', () => list({ channel: 'email' })],
    ['deep page', () => list({}, idPrefix(new Date(LAST_MONTH.getTime() + 10_000 * SPACING_MS)))],
    ['search for a frequent word', () => list({ search: 'ORDER' })],
  ])('reads the %s from an index, and few more rows than it shows', async (_, read) => {
    const plans = await plansOf(read);
    expect(wholeTablesRead(plans)).toEqual([]);
    const ofLog = plans.filter((node) => node['Relation Name']?.startsWith('message_logs'));
    expect(Math.max(...ofLog.map(rowsReadBy))).toBeLessThanOrEqual(2_500);
  });

  it.each([
    ['the account', {}, /_account_id_id_idx /],
    ['a key', { apiKeyId: KEY }, /_account_id_api_key_id_id_idx /],
  ])('reads the newest page of %s from its index, with the plan that serves all callers', async (_, filter, index) => {
    const spy = jest.spyOn(service.database, 'read');
    await list(filter);
    const [statement] = spy.mock.calls[0]!;
    spy.mockRestore();
    const { text } = statement as NamedStatement;
    const rows = await service.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']);
    const scans = plan.filter((line) => /Scan.* on message_logs/.test(line));
    expect(scans.length).toBeGreaterThanOrEqual(2);
    for (const scan of scans) expect(scan).toMatch(index);
    expect(plan.join('\n')).not.toMatch(/-> +Sort/);
  });

  it('reads a part of a long backlog of texts', async () => {
    await service.query(`INSERT INTO message_search_backlog SELECT $1, ARRAY['gone'] FROM generate_series(1, 3000)`, [
      ACCOUNT,
    ]);
    const plans = await plansOf(() => service.app.get(RollUpMessages, { strict: false }).rollUp());
    const ofBacklog = plans.filter((node) => node['Relation Name'] === 'message_search_backlog');
    expect(Math.max(...ofBacklog.map(rowsReadBy))).toBeLessThanOrEqual(500);
    await rollUpAll();
  });

  it.each([
    ['search for a rare word', () => list({ search: 'zyzzyva' })],
    [
      'search for a rare word of a key and status',
      () => list({ search: 'zyzzyva', apiKeyId: KEY, statuses: ['delivered', 'sent'] }),
    ],
    ['search for a rare word in another script', () => list({ search: 'Гиппопотам' })],
    ['search for a word that is nowhere', () => list({ search: 'nowhere' })],
    ['aggregate of the account', () => count({})],
    ['aggregate of a key', () => count({ apiKeyId: KEY })],
    ['aggregate of a campaign', () => count({ campaignId: CAMPAIGN })],
    ['aggregate of a campaign on a part of a day', () => count({ campaignId: CAMPAIGN, ...someDays })],
    ['totals of several campaigns', () => reader.countByCampaign(ACCOUNT, [CAMPAIGN, newId(new Date())])],
    [
      'activity of a campaign',
      () => activity.countCampaignEvents(ACCOUNT, CAMPAIGN, { interval: 'day', starts: DAYS }),
    ],
    ['aggregate of SMS', () => count({ channel: 'sms' })],
    ['aggregate of a rare word', () => count({ search: 'zyzzyva' })],
    ['aggregate of what is being sent', () => count({ statuses: ['sending'] })],
    ['aggregate of a subject in another script', () => count({ subject: 'Ваш гиппопотам' })],
    ['aggregate of a rare subject', () => count({ subject: 'Your zyzzyva is on its way' })],
    ['erasure of a recipient', () => erase(RECIPIENT)],
    ['erasure of a recipient in another script', () => erase(INTERNATIONAL)],
  ])('uses no sequential scan for the %s', async (_, read) => {
    expect(wholeTablesRead(await plansOf(read))).toEqual([]);
  });

  it.each([
    ['search for a rare word', () => list({ search: 'zyzzyva' })],
    ['aggregate of a rare word', () => count({ search: 'zyzzyva' })],
    ['aggregate of a rare subject', () => count({ subject: 'Your zyzzyva is on its way' })],
    ['erasure of an address', () => erase('nobody@example.com')],
  ])('reads what waits to be indexed by its ids for the %s', async (_, read) => {
    await letTextsWait();
    const plans = await plansOf(read);
    await service.query('DELETE FROM message_search_backlog');
    expect(wholeTablesRead(plans)).toEqual([]);
    expect(plans.some((node) => node['Relation Name'] === 'message_search_backlog')).toBe(true);
  });

  it('joins the texts and messages of a count month by month', async () => {
    const plans = await plansOf(() => count({ search: 'zyzzyva' }));
    const tables = plans.map((node) => withChildren(node).flatMap((child) => child['Relation Name'] ?? []));
    const month = LAST_MONTH.toISOString().slice(0, 7).replace('-', '_');
    expect(tables).toContainEqual([`message_search_texts_${month}`, `message_logs_${month}`]);
  });

  it('indexes what waits without reading other messages', async () => {
    const plans = await plansOf(() => service.app.get(RollUpMessages, { strict: false }).rollUp(), letTextsWait);
    const ofLog = plans.filter((node) => node['Relation Name']?.startsWith('message_logs'));
    expect(ofLog.reduce((rows, node) => rows + rowsReadBy(node), 0)).toBe(WAITING);
  });
});

/** $1 ids, $2 their times, $3 account, $4 key, $5 campaign. */
const SEED = `
  INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, subject, api_key_id, campaign_id, created_at)
  SELECT id, CASE WHEN i % 50 = 1 THEN 'other' ELSE $3 END, CASE WHEN i % 20000 = 14 THEN 'sms' ELSE 'email' END,
    CASE WHEN i % 5000 = 7 THEN 'complained' WHEN i % 100 = 5 THEN 'bounced' WHEN i % 50 = 6 THEN 'queued' ELSE 'delivered' END,
    CASE WHEN i % 20000 = 18 THEN 'Алиса@пример.рф' ELSE md5(i::text) || '@example.org' END,
    CASE WHEN i % 20000 = 18 THEN '${INTERNATIONAL}' ELSE md5(i::text) || '@example.org' END, 'shop@example.com',
    CASE WHEN i % 20000 = 10 THEN 'Your zyzzyva is on its way' WHEN i % 20000 = 12 THEN 'Ваш гиппопотам' ELSE 'Your order ' || i END,
    CASE WHEN i % 10 = 0 THEN NULL ELSE $4 END, CASE WHEN i % 20 = 0 THEN $5 END, at
  FROM unnest($1::text[], $2::timestamptz[]) WITH ORDINALITY AS m (id, at, i)`;

/** All queued messages are pending; $2 messages of the account $1 are leased. */
const QUEUE = `
  INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, lease_ends_at)
  SELECT id, account_id, channel, created_at, created_at,
    CASE WHEN account_id = $1 AND row_number() OVER (PARTITION BY account_id ORDER BY id) <= $2 THEN created_at END
  FROM message_logs WHERE status = 'queued'`;

/** Ninety days of events, and changes to be merged, of the campaign $2 of the account $1 and of many others. */
const ACTIVITY = `
  WITH campaigns AS (
    SELECT $1::text AS account, $2::text AS campaign UNION ALL SELECT 'other', 'c' || i FROM generate_series(1, 20) i
    UNION ALL SELECT $1, 'd' || i FROM generate_series(1, 20) i
  ), events AS (
    SELECT account, campaign, '${LAST_MONTH.toISOString()}'::timestamptz + i * interval '1 hour', type, 10
    FROM campaigns, generate_series(0, 90 * 24) i, unnest(ARRAY['sent', 'delivered', 'opened', 'clicked']) type
  ), merged AS (INSERT INTO campaign_activity SELECT * FROM events)
  INSERT INTO campaign_activity_changes SELECT * FROM events LIMIT 20000`;
