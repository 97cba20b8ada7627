import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SES as an account's provider, its sending rate, and what makes its mail wait. */
export class SendThroughSes1795248000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `ALTER TABLE accounts ADD ses jsonb, ADD tracking text NOT NULL DEFAULT 'off'`,
  `UPDATE accounts SET smtp = smtp || '{"vendor": "generic", "maxSendRate": null}' WHERE smtp IS NOT NULL`,
  // Its settings, or its provider, must be mended first: nothing is handed over until then.
  `CREATE TABLE delivery_pauses (
    account_id ${ID} NOT NULL CONSTRAINT pk_delivery_pauses PRIMARY KEY
      CONSTRAINT fk_delivery_pauses_account REFERENCES accounts (id) ON DELETE CASCADE,
    reason text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL
  )`,
  // When the next turn to hand a message over begins, of an account or of the AWS account that several share. Unlogged: written many times a second, and worth nothing after a crash.
  `CREATE UNLOGGED TABLE sending_slots (
    subject text NOT NULL CONSTRAINT pk_sending_slots PRIMARY KEY,
    next_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`,
];

const DOWN = [
  `DROP TABLE sending_slots`,
  `DROP TABLE delivery_pauses`,
  `UPDATE accounts SET smtp = smtp - 'vendor' - 'maxSendRate' WHERE smtp IS NOT NULL`,
  `UPDATE accounts SET email_provider = 'smtp'`,
  `ALTER TABLE accounts DROP ses, DROP tracking`,
];
