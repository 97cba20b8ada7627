import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SES as the provider of an account, its sending rate, and delivery pauses. */
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
  // The settings or the provider must be fixed first: nothing is submitted until then.
  `CREATE TABLE delivery_pauses (
    account_id ${ID} NOT NULL CONSTRAINT pk_delivery_pauses PRIMARY KEY
      CONSTRAINT fk_delivery_pauses_account REFERENCES accounts (id) ON DELETE CASCADE,
    reason text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL
  )`,
  // The time of the next free sending slot of an account, or of an AWS account that several accounts share. Unlogged:
  // written many times per second, and useless after a crash.
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
