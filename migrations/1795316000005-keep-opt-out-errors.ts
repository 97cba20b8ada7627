import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last error of reading an account's opt-out list. */
export class KeepOptOutErrors1795316000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sms_opt_out_syncs ADD COLUMN error text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sms_opt_out_syncs DROP COLUMN error');
  }
}
