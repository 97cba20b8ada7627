import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { APPEND, LIST_STANDING, RENAME_STANDING } from '../../../src/modules/consent/infrastructure/consent.sql.js';
import {
  COUNT_CONSENTS,
  COUNT_TOPIC,
  COUNT_WITH_CONSENT,
} from '../../../src/modules/contacts/infrastructure/sql-contact-audience.js';
import { SUBMISSION_REFUSALS } from '../../../src/modules/suppression/infrastructure/suppression.sql.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { type PlanNode, rowsReadBy, withChildren } from '../../support/query-plans.js';
import { TestService } from '../../support/service.js';
import { addTopic } from '../../support/topics.js';

const CONTACTS = 20_000;

describe('Query plans for consents', () => {
  let service: TestService;
  let account: TestAccount;
  let otherId: string;
  let campaignId: string;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    ({ id: otherId } = await service.createAccount());
    campaignId = newId(service.clock.now());
    await service.query(`UPDATE accounts SET consent_required_for = 'campaigns' WHERE id = $1`, [account.id]);
    await service.query(
      `INSERT INTO contacts (id, account_id, email, normalised_email, tags, status, list_ids, created_at, updated_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, email, email, '{all}', 'active', '{}', now(), now()
       FROM (SELECT n, 'person' || n || '@example.com' AS email FROM generate_series(1, $2::integer) n) numbered`,
      [account.id, CONTACTS],
    );
    await service.query(
      `INSERT INTO standing_consents (account_id, channel, address, purpose, topic_id, state, occurred_at, consent_id)
       SELECT a, 'email', 'person' || n || '@example.com', purpose, topic_id, 'granted', now(), 'c' || n
       FROM unnest($1::text[]) a, generate_series(1, $2::integer) n, unnest('{marketing,tracking}'::text[]) purpose,
         unnest('{"",c1,c2}'::text[]) topic_id`,
      [[account.id, otherId], CONTACTS],
    );
    await service.database.queryWithoutTimeout('VACUUM ANALYZE');
  });
  afterAll(() => service.stop());

  const explain = async (text: string, values: unknown[]): Promise<PlanNode[]> => {
    const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    return withChildren(row!['QUERY PLAN'][0].Plan);
  };
  const of = (nodes: PlanNode[], table: string) => nodes.filter((node) => node['Relation Name'] === table);

  it.each([
    ['of a campaign', COUNT_WITH_CONSENT, [[], ['all'], [], []]],
    ['of the account', COUNT_CONSENTS, []],
    ['of the account by topic', COUNT_TOPIC, ['c1', 'in']],
  ])('count an audience %s in one reading of what stands, without a look-up per contact', async (_, text, values) => {
    const nodes = await explain(text, [account.id, ...values]);
    for (const table of ['standing_consents', 'contacts'])
      expect(Math.max(...of(nodes, table).map((node) => node['Actual Loops']))).toBe(1);
  });

  it('look up one address by key, in the table of what stands alone', async () => {
    const nodes = await explain(LIST_STANDING, [account.id, 'email', 'person777@example.com', 'none']);
    expect(of(nodes, 'consent_records')).toEqual([]);
    expect(of(nodes, 'standing_consents').reduce((sum, node) => sum + rowsReadBy(node), 0)).toBeLessThanOrEqual(6);
  });

  it('look up the consent before a submission by key, and only for messages of campaigns and topics', async () => {
    await service.query(
      `INSERT INTO campaigns (id, account_id, name, from_email, list_ids, tags, exclude_list_ids, exclude_tags, status, created_at)
       VALUES ($1, $2, 'News', 'a@b.example', '{}', '{}', '{}', '{}', 'running', now())`,
      [campaignId, account.id],
    );
    const { id: topicId } = await addTopic(account);
    const read = async (campaign: string | null, topic: string | null = null) => {
      const values = [[account.id], ['email'], ['person777@example.com'], ['\\x00'], [campaign], [topic]];
      const nodes = await explain(SUBMISSION_REFUSALS, values);
      return of(nodes, 'standing_consents').reduce((sum, node) => sum + rowsReadBy(node), 0);
    };
    expect(await read(null)).toBe(0);
    expect(await read(campaignId)).toBe(1);
    expect(await read(null, topicId)).toBe(1);
  });

  it('list withdrawals, sign-ups and what is about tracking without reading all grants', async () => {
    const { id: topicId } = await addTopic(account, { name: 'Offers' });
    const { id: other } = await addTopic(account, { name: 'Events' });
    const post = (fields: object) =>
      account
        .asAdmin('post', '/api/consents')
        .send({ email: 'a@example.com', ...fields })
        .expect(201);
    await post({ action: 'withdrawn', topicId });
    await post({ action: 'granted', purpose: 'tracking' });
    await service.query(
      `INSERT INTO consent_records (id, account_id, channel, address, purpose, topic_id, action, source, occurred_at,
         recorded_at, actor_type)
       SELECT left($2, 9) || lpad(n::text, 16, '0'), $1, 'email', 'person' || n || '@example.com', 'marketing',
         CASE WHEN n % 2 = 0 THEN $3 ELSE $4 END, CASE WHEN n = 1 THEN 'requested' ELSE 'granted' END, 'api', now(), now(), 'key' FROM generate_series(1, 5000) n`,
      [account.id, newId(service.clock.now()), topicId, other],
    );
    await service.database.queryWithoutTimeout('VACUUM ANALYZE consent_records');
    for (const query of [
      ...[{ topicId, action: 'withdrawn' }, { action: 'withdrawn' }, { action: 'requested' }],
      { purpose: 'tracking' },
    ])
      expect(await readToList(query)).toBe(1);
  });

  /** The rows of the ledger that are read to list the only record that matches. */
  async function readToList(query: object): Promise<number> {
    const read = jest.spyOn(service.database, 'read');
    const { body } = await account.asAdmin('get', '/api/consents').query(query).expect(200);
    expect(body.items).toHaveLength(1);
    const calls = read.mock.calls.map(([statement, values = []]) => ({
      text: typeof statement === 'string' ? statement : statement.text,
      values: [...values],
    }));
    read.mockRestore();
    const { text, values } = calls.find((call) => call.text.includes('consent_records'))!;
    const nodes = await explain(text, values);
    const scans = nodes.filter((node) => node['Relation Name']?.startsWith('consent_records'));
    return scans.reduce((sum, node) => sum + rowsReadBy(node), 0);
  }

  it.each([1, 500, 5_000])(
    'rename what stands for %d addresses by key, and no row of another account',
    async (count) => {
      const emails = Array.from({ length: count }, (_, n) => `person${n + 1}@example.com`);
      const hashes = emails.map((_, n) => String(n).padStart(64, '0'));
      const read = async (former: string[], names: string[]) => {
        const values = [emails.map(() => account.id), emails.map(() => 'email'), former, names];
        const scans = of(await explain(RENAME_STANDING, values), 'standing_consents');
        return scans
          .filter((node) => node['Node Type'].includes('Scan'))
          .reduce((sum, node) => sum + rowsReadBy(node), 0);
      };
      expect(await read(hashes, emails)).toBe(0);
      expect(await read(emails, hashes)).toBe(6 * count);
      expect(await read(hashes, emails)).toBe(6 * count);
      const ofOther = await service.query('SELECT FROM standing_consents WHERE account_id = $1', [otherId]);
      expect(ofOther).toHaveLength(6 * CONTACTS);
    },
  );

  it('append a record without reading the history', async () => {
    const record = {
      ...{ id: newId(service.clock.now()), accountId: account.id, channel: 'email', address: 'person5@example.com' },
      ...{ purpose: 'marketing', action: 'withdrawn', source: 'one_click', recordedAt: service.clock.now() },
      ...{ actorType: 'person', condition: 'unless_withdrawn' },
    };
    const nodes = await explain(APPEND, [JSON.stringify([record])]);
    const readNodes = nodes.filter((node) => node['Node Type'].includes('Scan'));
    expect(
      readNodes
        .filter((node) => node['Relation Name']?.startsWith('consent_records'))
        .reduce((sum, node) => sum + rowsReadBy(node), 0),
    ).toBe(0);
    expect(of(readNodes, 'standing_consents').reduce((sum, node) => sum + rowsReadBy(node), 0)).toBeLessThanOrEqual(10);
  });
});
