import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Test keys, which belong to the test account of an account, with their messages, contacts and suppressions: so nothing
 * of it mixes with live data. Earlier versions, running beside this one, know such a key as that of an account without
 * verified senders, which sends nothing. What the simulator will report about a message waits in `simulated_reports`.
 */
export class AddTestAccounts1795360000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `ALTER TABLE accounts ADD test_of ${ID} CONSTRAINT fk_accounts_test_of REFERENCES accounts (id) ON DELETE CASCADE`,
  `ALTER TABLE accounts ADD CONSTRAINT uq_accounts_test_of UNIQUE (test_of)`,
  `ALTER TABLE api_keys ADD test_of ${ID}`,
  `ALTER TABLE webhook_endpoints ADD test_events boolean NOT NULL DEFAULT false`,
  `CREATE TABLE simulated_reports (
    message_id ${ID} NOT NULL,
    report text NOT NULL,
    account_id ${ID} NOT NULL,
    channel text NOT NULL,
    due_at timestamptz NOT NULL,
    postponed smallint NOT NULL DEFAULT 0,
    CONSTRAINT pk_simulated_reports PRIMARY KEY (message_id, report)
  )`,
  `CREATE INDEX ix_simulated_reports_due ON simulated_reports (due_at)`,
];

const DOWN = [
  `DROP TABLE simulated_reports`,
  `ALTER TABLE webhook_endpoints DROP test_events`,
  `DELETE FROM accounts WHERE test_of IS NOT NULL`,
  `ALTER TABLE api_keys DROP test_of`,
  `ALTER TABLE accounts DROP test_of`,
];
