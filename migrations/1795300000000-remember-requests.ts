import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The messages created by requests with an Idempotency-Key, for a day. */
export class RememberRequests1795300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  // No foreign keys: written by the statement that accepts messages, and deleted after a day.
  `CREATE TABLE idempotency_keys (
    account_id ${ID} NOT NULL,
    api_key_id ${ID} NOT NULL,
    key ${ID} NOT NULL,
    fingerprint text NOT NULL,
    message_id ${ID} NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_idempotency_keys PRIMARY KEY (account_id, api_key_id, key)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  `CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at)`,
];
