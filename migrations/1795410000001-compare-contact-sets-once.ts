import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trigger compared the tags and lists of a contact once for each of them: to change the names of 5,000 contacts with
 * many took longer than a statement may. Now it compares them once, and only the pairs that differ are looked up.
 */
export class CompareContactSetsOnce1795410000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      replaceTrigger([...statements('contact_tags', 'tags'), ...statements('list_members', 'list_ids')]),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(replaceTrigger(FORMER));
  }
}

const replaceTrigger = (written: readonly string[]): string => `
  CREATE OR REPLACE FUNCTION contacts_updated() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
    BEGIN ${written.map((statement) => `${statement};`).join('')}
      RETURN NULL;
    END $$`;

/** The pairs of `rows` that the same contacts do not have in `others`. OFFSET 0: all of them are known before a join. */
const onlyIn = (rows: string, others: string, column: string): string => `(
  SELECT c.account_id, c.id, pair.value FROM (
    SELECT c.account_id, c.id, c.${column} AS own, o.${column} AS other
    FROM ${rows} c JOIN ${others} o ON o.id = c.id WHERE o.${column} <> c.${column} OFFSET 0
  ) c CROSS JOIN LATERAL (SELECT unnest(c.own) EXCEPT SELECT unnest(c.other)) AS pair (value) OFFSET 0)`;

const statements = (table: 'contact_tags' | 'list_members', column: string): string[] => {
  const [key, isOfAccount, accountId] =
    table === 'contact_tags' ? ['tag', 'AND t.account_id = c.account_id', 'c.account_id, '] : ['list_id', '', ''];
  return [
    `DELETE FROM ${table} t USING ${onlyIn('before', 'after', column)} c
      WHERE t.${key} = c.value AND t.contact_id = c.id ${isOfAccount}`,
    `INSERT INTO ${table} SELECT ${accountId}c.value, c.id FROM ${onlyIn('after', 'before', column)} c`,
  ];
};

const FORMER = [
  `DELETE FROM contact_tags t USING before c JOIN after o ON o.id = c.id CROSS JOIN unnest(c.tags) AS pair (value)
    WHERE NOT (o.tags = c.tags OR pair.value = ANY (o.tags)) AND t.tag = pair.value AND t.contact_id = c.id
      AND t.account_id = c.account_id`,
  `INSERT INTO contact_tags SELECT c.account_id, pair.value, c.id
    FROM after c JOIN before o ON o.id = c.id CROSS JOIN unnest(c.tags) AS pair (value)
    WHERE NOT (o.tags = c.tags OR pair.value = ANY (o.tags))`,
  `DELETE FROM list_members t USING before c JOIN after o ON o.id = c.id CROSS JOIN unnest(c.list_ids) AS pair (value)
    WHERE NOT (o.list_ids = c.list_ids OR pair.value = ANY (o.list_ids)) AND t.list_id = pair.value AND t.contact_id = c.id`,
  `INSERT INTO list_members SELECT pair.value, c.id
    FROM after c JOIN before o ON o.id = c.id CROSS JOIN unnest(c.list_ids) AS pair (value)
    WHERE NOT (o.list_ids = c.list_ids OR pair.value = ANY (o.list_ids))`,
];
