import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The progress of erasures, and an index of the messages to recipients that the search does not find by their
 * normalised address, because they were given in other characters or in punycode. Those are few.
 */
export class EraseInParts1795440000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE contact_erasures
    ADD step integer NOT NULL DEFAULT 0,
    ADD after text NOT NULL DEFAULT '',
    ADD must_repeat boolean NOT NULL DEFAULT false`,
  `CREATE INDEX ix_message_logs_international ON message_logs (account_id, normalised_recipient, id)
    WHERE octet_length(recipient) > char_length(recipient) OR recipient ILIKE '%xn--%'`,
];

const DOWN = [
  `DROP INDEX ix_message_logs_international`,
  `ALTER TABLE contact_erasures DROP must_repeat, DROP after, DROP step`,
];
