import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts that share a sending rate may state different ones: the lowest holds for the workers of all. */
export class KeepSlowestRate1795640000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE sending_slots ADD COLUMN interval_ms double precision NOT NULL DEFAULT 0,
        ADD COLUMN interval_until timestamptz NOT NULL DEFAULT '-infinity'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sending_slots DROP COLUMN interval_until, DROP COLUMN interval_ms');
  }
}
