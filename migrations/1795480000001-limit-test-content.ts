import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the bytes of contents and attachments that the test messages of an account store on a day. */
export class LimitTestContent1795480000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE daily_usage ADD COLUMN test_bytes bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE daily_usage DROP COLUMN test_bytes');
  }
}
