import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { RollUpMessages } from '../../../src/modules/messages/application/roll-up-messages.service.js';
import { MessagePartitions } from '../../../src/modules/messages/application/ports/message-maintenance.js';
import { ReadMessages } from '../../../src/modules/messages/application/read-messages.service.js';
import { RetainMessages } from '../../../src/modules/messages/application/retain-messages.service.js';
import { MESSAGE_STATUSES } from '../../../src/modules/messages/domain/message-log.js';
import type { AggregateFilter } from '../../../src/modules/messages/domain/message-filter.js';
import { newId } from '../../../src/shared/ids.js';
import { monthAfter } from '../../../src/shared/utc.js';
import { budget } from '../../support/budget.js';
import { TestService } from '../../support/service.js';

const [ACCOUNT, OTHER_ACCOUNT, KEY, OTHER_KEY, CAMPAIGN, TOPIC] = Array.from({ length: 6 }, () =>
  newId(new Date()),
) as [string, string, string, string, string, string];
const HOUR = 3_600_000;
const NEXT_MONTH = monthAfter(new Date(), 1);
const START = NEXT_MONTH.getTime() - 30 * HOUR;
const STORED = MESSAGE_STATUSES.filter((status) => status !== 'sending');
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

const state = { status: fc.constantFrom(...STORED), opens: fc.nat(3), clicks: fc.nat(2) };
const message = fc.record({
  account: fc.constantFrom(ACCOUNT, ACCOUNT, OTHER_ACCOUNT),
  key: fc.constantFrom(KEY, OTHER_KEY, null),
  campaign: fc.constantFrom(CAMPAIGN, null),
  topic: fc.constantFrom(TOPIC, OTHER_KEY, null),
  channel: fc.constantFrom('email', 'sms'),
  hour: fc.nat(80),
  ...state,
});
const insertion = fc
  .array(message, { minLength: 1, maxLength: 12 })
  .map((messages) => ({ kind: 'insert', messages }) as const);
/** What happens to the messages whose number has this remainder. */
const change = fc.record({ kind: fc.constant('update' as const), modulus: fc.integer({ min: 1, max: 4 }), ...state });
const rollup = fc.constant({ kind: 'rollUp' } as const);
const lease = fc.constant({ kind: 'lease' } as const);
const step = fc.oneof(insertion, change, rollup, lease);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('Rolled-up counts', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    await service.app.get(MessagePartitions, { strict: false }).ensure(new Date(START), 3);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await service.query(EMPTY);
  });

  const rollUp = () => service.app.get(RollUpMessages, { strict: false }).rollUp();

  async function take(next: Step): Promise<void> {
    if (next.kind === 'rollUp') await rollUp();
    else if (next.kind === 'lease') await service.query(LEASE);
    else if (next.kind === 'update') await service.query(UPDATE, [next.modulus, next.status, next.opens, next.clicks]);
    else {
      const rows = next.messages.map(({ hour, ...made }) => {
        const at = new Date(START + hour * HOUR);
        return { ...made, id: newId(at), at };
      });
      await service.query(INSERT, [JSON.stringify(rows)]);
    }
  }

  const totals = (filter: Partial<AggregateFilter>) =>
    service.app.get(ReadMessages, { strict: false }).totals(ACCOUNT, { ...EVERYTHING, ...filter });

  /** The same counts, from the messages themselves. */
  async function recount(filter: Partial<AggregateFilter>) {
    const { apiKeyId, channel, statuses, from, before, campaignId, topicId } = { ...EVERYTHING, ...filter };
    const rows = await service.query<{ status: string; opens: number; clicks: number }>(RECOUNT, [
      ACCOUNT,
      apiKeyId,
      from,
      before,
      campaignId,
      channel,
      topicId,
    ]);
    const counted = rows.filter(({ status }) => !statuses || (statuses as readonly string[]).includes(status));
    const engagement = (field: 'opens' | 'clicks') => ({
      unique: counted.filter((row) => row[field] > 0).length,
      total: counted.reduce((sum, row) => sum + row[field], 0),
      reported: true,
    });
    const delivered = counted.filter(({ status }) => status === 'delivered' || status === 'complained');
    return {
      total: counted.length,
      status: Object.fromEntries(
        MESSAGE_STATUSES.map((status) => [status, counted.filter((row) => row.status === status).length]),
      ),
      deliveries: { total: delivered.length, reported: true },
      opens: engagement('opens'),
      clicks: engagement('clicks'),
    };
  }

  const FILTERS: Partial<AggregateFilter>[] = [
    {},
    { apiKeyId: KEY },
    { campaignId: CAMPAIGN },
    { channel: 'sms' },
    { topicId: TOPIC },
    { topicId: TOPIC, campaignId: CAMPAIGN, apiKeyId: KEY, channel: 'email', from: new Date(START + 3.5 * HOUR) },
    { channel: 'email', apiKeyId: KEY, from: new Date(START + 3.5 * HOUR) },
    { statuses: ['queued', 'bounced'] },
    { statuses: ['sending'] },
    { from: new Date(START + 3.5 * HOUR), before: new Date(START + 60.25 * HOUR) },
    { from: new Date(START + 7 * HOUR), before: new Date(START + 9 * HOUR), apiKeyId: OTHER_KEY },
    { before: NEXT_MONTH, apiKeyId: KEY, campaignId: CAMPAIGN, statuses: ['delivered'] },
    { from: NEXT_MONTH },
  ];

  it('equal a full count after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (history) => {
        await service.query(EMPTY);
        for (const next of history) await take(next);
        for (const filter of FILTERS) expect(await totals(filter)).toEqual(await recount(filter));
      }),
      { numRuns: budget({ quick: 25, soak: 500 }) },
    );
  });

  it('equal a full count after concurrent writers and two rollups', async () => {
    const histories = fc.sample(fc.array(step, { minLength: 15, maxLength: 15 }), 4);
    await Promise.all([
      ...histories.map(async (history) => {
        for (const next of history) await take(next);
      }),
      ...[1, 2].map(async () => {
        for (let i = 0; i < 20; i++) await rollUp();
      }),
    ]);
    for (const filter of FILTERS) expect(await totals(filter)).toEqual(await recount(filter));
  });

  it('are read consistently during a rollup', async () => {
    await take({ kind: 'insert', messages: fc.sample(message, 400) });
    const expected = await recount({});
    const rollUps = { left: 30 };
    const rollingUp = (async () => {
      for (; rollUps.left > 0; rollUps.left--) {
        await service.query('UPDATE message_logs SET opens = opens');
        await service.query(
          `INSERT INTO message_count_changes SELECT account_id, day, api_key_id, campaign_id, status, n * messages, n * opened, n * opens, n * clicked, n * clicks, channel
           FROM message_counts CROSS JOIN (VALUES (1), (-1)) sign (n)`,
        );
        await rollUp();
      }
    })();
    while (rollUps.left > 0) expect(await totals({})).toEqual(expected);
    await rollingUp;
  });

  it('are deleted for the months that are dropped', async () => {
    await take({ kind: 'insert', messages: fc.sample(message, 200) });
    await rollUp();
    const since = { from: NEXT_MONTH };
    const rest = await recount(since);
    const partitions = service.app.get(MessagePartitions, { strict: false });
    await service.query('UPDATE message_logs SET opens = opens + 1 WHERE created_at < $1', [since.from]);
    await partitions.dropMonthsBefore(since.from);
    expect(await totals({})).toEqual(rest);
    await service.app.get(RetainMessages, { strict: false }).purgeExpired();
    await rollUp();
    expect(await totals({})).toEqual(rest);
    expect(await totals({ topicId: TOPIC })).toEqual(await recount({ ...since, topicId: TOPIC }));
    for (const table of ['message_counts', 'message_topic_counts'])
      expect(await service.query(`SELECT FROM ${table} WHERE day < $1`, [since.from])).toEqual([]);
    await partitions.ensure(new Date(START), 1);
  });
});

const EMPTY = `
  TRUNCATE message_logs, message_counts, message_count_changes, message_topic_counts, message_topic_count_changes,
    pending_deliveries`;

const INSERT = `
  INSERT INTO message_logs (id, account_id, channel, status, recipient, normalised_recipient, sender, api_key_id, campaign_id, topic_id, opens, clicks, created_at)
  SELECT r.id, r.account, r.channel, r.status, 'a@example.org', 'a@example.org', 'b@example.org', r.key, r.campaign, r.topic, r.opens, r.clicks, r.at
  FROM json_to_recordset($1) AS r (id text, account text, channel text, status text, key text, campaign text, topic text, opens integer, clicks integer, at timestamptz)`;

const UPDATE = `UPDATE message_logs SET status = $2, opens = $3, clicks = $4 WHERE get_byte(decode(md5(id), 'hex'), 0) % $1 = 0`;

/** Half of the queued messages are leased. */
const LEASE = `
  INSERT INTO pending_deliveries (message_id, account_id, channel, next_attempt_at, sweep_at, lease_ends_at)
  SELECT id, account_id, channel, created_at, created_at, created_at FROM message_logs
  WHERE status = 'queued' AND get_byte(decode(md5(id), 'hex'), 1) % 2 = 0 ON CONFLICT DO NOTHING`;

const RECOUNT = `
  SELECT CASE WHEN m.status = 'queued' AND p.lease_ends_at IS NOT NULL THEN 'sending' ELSE m.status END AS status, m.opens, m.clicks
  FROM message_logs m LEFT JOIN pending_deliveries p ON p.message_id = m.id
  WHERE m.account_id = $1 AND ($2::text IS NULL OR m.api_key_id = $2) AND ($3::timestamptz IS NULL OR m.created_at >= $3)
    AND ($4::timestamptz IS NULL OR m.created_at < $4) AND ($5::text IS NULL OR m.campaign_id = $5)
    AND ($6::text IS NULL OR m.channel = $6) AND ($7::text IS NULL OR m.topic_id = $7)`;
