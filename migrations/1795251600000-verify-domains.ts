import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains with the records to publish and the results of checks; senders verified by SES. */
export class VerifyDomains1795251600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_YOUNGER);
    await requireUniqueNames(runner);
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const VERIFIED = `dkim_status = 'verified' AND spf_status = 'verified' AND mail_from_status = 'verified'`;

/** A name belongs to one account: to one that has verified it, else to the first that added it. */
const DROP_YOUNGER = `
  DELETE FROM domains WHERE NOT (${VERIFIED}) AND id NOT IN (
    SELECT DISTINCT ON (name) id FROM domains ORDER BY name, (${VERIFIED}) DESC, created_at, id
  )`;

const FIND_TWICE = `SELECT name FROM domains GROUP BY name HAVING count(*) > 1 ORDER BY name LIMIT 10`;

async function requireUniqueNames(runner: QueryRunner): Promise<void> {
  const twice = (await runner.query(FIND_TWICE)) as { name: string }[];
  if (twice.length === 0) return;
  const names = twice.map(({ name }) => name).join(', ');
  throw new Error(
    `Several accounts have these domains verified: ${names}. A domain belongs to one account: delete the other rows from the table domains, then start again.`,
  );
}

const UP = [
  `ALTER TABLE domains
    DROP CONSTRAINT uq_domains_account_name,
    ADD CONSTRAINT uq_domains_name UNIQUE (name),
    ADD set_up_for text NOT NULL DEFAULT 'smtp',
    ADD made_in jsonb NOT NULL DEFAULT '[]',
    ADD dkim_selector text,
    ADD dkim_public_key text,
    ADD sealed_dkim_key text,
    ADD records jsonb NOT NULL DEFAULT '[]',
    ADD checks jsonb NOT NULL DEFAULT '{}',
    ADD next_check_at timestamptz,
    ADD verified_at timestamptz`,
  // Existing domains are set up by their first check.
  `UPDATE domains SET next_check_at = now()`,
  `UPDATE domains SET verified_at = created_at WHERE ${VERIFIED}`,
  `CREATE INDEX ix_domains_account ON domains (account_id, id)`,
  `CREATE INDEX ix_domains_next_check ON domains (next_check_at)`,
  `ALTER TABLE senders
    ADD set_up_for text NOT NULL DEFAULT 'smtp',
    ADD made_in jsonb NOT NULL DEFAULT '[]',
    ADD next_check_at timestamptz`,
  `CREATE INDEX ix_senders_next_check ON senders (next_check_at)`,
];

const DOWN = [
  `DROP INDEX ix_senders_next_check`,
  `ALTER TABLE senders DROP set_up_for, DROP made_in, DROP next_check_at`,
  `DROP INDEX ix_domains_next_check`,
  `DROP INDEX ix_domains_account`,
  `ALTER TABLE domains
    DROP CONSTRAINT uq_domains_name,
    ADD CONSTRAINT uq_domains_account_name UNIQUE (account_id, name),
    DROP set_up_for,
    DROP made_in,
    DROP dkim_selector,
    DROP dkim_public_key,
    DROP sealed_dkim_key,
    DROP records,
    DROP checks,
    DROP next_check_at,
    DROP verified_at`,
];
