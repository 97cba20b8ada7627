import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replies to SMS, and leases for reading opt-out lists. */
export class SyncSms1795291000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  // Texts are purged before their rows, like the contents of messages.
  `CREATE TABLE sms_replies (
    id ${ID} NOT NULL CONSTRAINT pk_sms_replies PRIMARY KEY,
    account_id ${ID} NOT NULL CONSTRAINT fk_sms_replies_account REFERENCES accounts (id) ON DELETE CASCADE,
    provider_message_id text NOT NULL,
    sender text NOT NULL,
    recipient text NOT NULL,
    body text,
    previous_provider_message_id text,
    previous_message_id ${ID},
    contact_id ${ID},
    received_at timestamptz NOT NULL,
    CONSTRAINT uq_sms_replies_account_provider_message UNIQUE (account_id, provider_message_id)
  )`,
  `CREATE INDEX ix_sms_replies_received ON sms_replies (received_at)`,
  // The holder fences the lease; source: the provider account that the list belongs to.
  `ALTER TABLE sms_opt_out_syncs ADD lease_holder ${ID}, ADD source text NOT NULL DEFAULT ''`,
];

const DOWN = [`ALTER TABLE sms_opt_out_syncs DROP lease_holder, DROP source`, `DROP TABLE sms_replies`];
