import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { types } from 'pg';

import { frequentWords } from '../../../src/modules/contacts/infrastructure/contact-search.js';
import {
  countContacts,
  listContacts,
  LOCK_BY_EMAILS,
  searchContacts,
} from '../../../src/modules/contacts/infrastructure/contact.sql.js';
import { ACCEPT } from '../../../src/modules/messages/infrastructure/acceptance/accept.sql.js';
import type { TestAccount } from '../../support/account.js';
import { type PlanNode, rowsReadBy, withChildren } from '../../support/query-plans.js';
import { TestService } from '../../support/service.js';

const CONTACTS = 20_000;

describe('Query plans for reading contacts', () => {
  let service: TestService;
  let account: TestAccount;
  let listId: string;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api' });
    account = await service.createAccount();
    ({ id: listId } = (await account.asAdmin('post', '/api/lists').send({ name: 'Tenth' }).expect(201)).body);
    await service.query(
      `INSERT INTO contacts (id, account_id, email, normalised_email, first_name, tags, status, list_ids, created_at, updated_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, email, email, 'Name ' || n,
         CASE WHEN n < 2000 THEN ARRAY['oldest'] WHEN n % 2 = 0 THEN ARRAY['half'] ELSE '{}' END,
         CASE WHEN n % 50 = 1 THEN 'bounced' ELSE 'active' END, CASE WHEN n % 10 = 5 THEN ARRAY[$3] ELSE ARRAY['other'] END, now(), now()
       FROM (SELECT n, 'person' || n || '@' || md5(n::text) || '.example.com' AS email FROM generate_series(1, $2::integer) n) numbered`,
      [account.id, CONTACTS, listId],
    );
    await service.database.queryWithoutTimeout('VACUUM ANALYZE');
  });
  afterAll(() => service.stop());

  const explain = async (text: string, values: unknown[]): Promise<string> => {
    const rows = await service.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it.each([
    ['all', {}],
    ['a tag of half', { tag: 'half' }],
    ['a tag of the oldest', { tag: 'oldest' }],
    ['a status', { status: 'bounced' as const }],
    ['a list', { listId: '' }],
    ['a text', { search: 'person777@' }],
  ])('find a page of %s by an index', async (_, filter) => {
    const wanted = 'listId' in filter ? { listId } : filter;
    const { text, values } = listContacts(account.id, wanted, { page: 1, limit: 25 });
    const plan = await explain(text, values);
    expect(plan).not.toMatch(/Seq Scan on (contacts|contact_tags|list_members)/);
    const rows = [...plan.matchAll(/actual rows=(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(...rows)).toBeLessThanOrEqual(25);
  });

  it.each([
    ['a tag', { tag: 'oldest' }, 'pk_contact_tags'],
    ['a list', { listId: '' }, 'pk_list_members'],
    ['a status', { status: 'bounced' as const }, 'ix_contacts_account_status'],
  ])('count the contacts of %s in the index alone', async (_, filter, index) => {
    const wanted = 'listId' in filter ? { listId } : filter;
    const { text, values } = countContacts(account.id, wanted, 100_001);
    expect(await explain(text, values)).toMatch(new RegExp(`Index Only Scan using ${index}`));
  });

  it('return tags and lists as JSON, because pg takes ten times as long to parse arrays', async () => {
    const { text, values } = listContacts(account.id, {}, { page: 1, limit: 1 });
    for (const [sql, parameters] of [[text, values] as const, [LOCK_BY_EMAILS, [account.id, []]] as const]) {
      const { fields } = await service.database.pool.query(sql, [...parameters]);
      const typeOf = (column: string) => fields.find(({ name }) => name === column)?.dataTypeID;
      expect([typeOf('tags'), typeOf('listIds')]).toEqual([types.builtins.JSON, types.builtins.JSON]);
    }
  });

  it('look for the rare words of a search in the index, not for those that most contacts have', async () => {
    const frequent = await frequentWords(service.database, account.id, 'Name 777');
    expect([...frequent]).toEqual(['Name ']);
    const { text, values } = searchContacts(
      account.id,
      { search: 'Name 777' },
      { page: 1, limit: 25 },
      100_001,
      frequent,
    );
    const plan = await explain(text, values);
    expect(plan).toMatch(/Bitmap Index Scan on ix_contacts_search.*\n *Index Cond: .*'% 777%'/s);
    expect(plan).not.toMatch(/Seq Scan on contacts|'%name/);
  });

  it.each(['Name 777', 'name 77', '777 name', 'name  777', 'Name 777 ', 'me 1', '777 ', 'me 12 %', 'name', 'Näme 777'])(
    'find the same contacts: %j',
    async (search) => {
      const { body } = await account.asAdmin('get', `/api/contacts?search=${encodeURIComponent(search)}`).expect(200);
      const [expected] = await service.query<{ total: number }>(
        `SELECT count(*)::integer AS total FROM contacts c
         WHERE account_id = $1 AND strpos(contact_search_text(email, first_name, last_name, company), lower($2)) > 0`,
        [account.id, search],
      );
      expect(body.total).toBe(expected?.total);
    },
  );

  it('look up the contact of a message by its address, also in the generic plan of the prepared statement', async () => {
    const plan = await service.database.run(async () => {
      await service.query('SET LOCAL plan_cache_mode = force_generic_plan');
      return explain(ACCEPT, ['[]', [account.id], '2026-01-01', null]);
    });
    expect(plan).toMatch(/Index Scan using uq_contacts_account_email on contacts/);
    expect(plan).not.toMatch(/Seq Scan on contacts/);
  });

  it('change names without a look at each tag and list', async () => {
    const [written] = await service.query<{ source: string }>(
      `SELECT substring(prosrc FROM 'BEGIN (.*) RETURN NULL') AS source FROM pg_proc WHERE proname = 'contacts_updated'`,
    );
    const statements = written!.source.split(';').filter((statement) => statement.trim());
    const read = await service.database.run(async () => {
      for (const state of ['before', 'after'])
        await service.query(
          `CREATE TEMP TABLE ${state} ON COMMIT DROP AS SELECT id, account_id, list_ids,
             ARRAY(SELECT 'tag ' || t FROM generate_series(100, 199) t) AS tags
           FROM contacts WHERE account_id = '${account.id}' ORDER BY id LIMIT 1000`,
        );
      await service.query('ANALYZE before, after');
      return Promise.all(
        statements.map(async (statement) => {
          const [{ 'QUERY PLAN': plans }] = (await service.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`)) as [
            { 'QUERY PLAN': [{ Plan: PlanNode }] },
          ];
          return Math.max(...withChildren(plans[0].Plan).map(rowsReadBy));
        }),
      );
    });
    expect(read).toEqual([1_000, 1_000, 1_000, 1_000]);
  });
});
