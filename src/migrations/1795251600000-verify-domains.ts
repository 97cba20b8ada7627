import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains with the records to publish and what their checks found; senders that SES verifies. */
export class VerifyDomains1795251600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
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
    ADD next_check_at timestamptz`,
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
    DROP next_check_at`,
];
