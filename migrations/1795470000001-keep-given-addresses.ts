import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps suppressed email addresses as they were given, beside the form in which they are compared. Null: the same, or not
 * known, as in entries of earlier releases. The constraint refuses an erasure by an earlier release that would keep it.
 */
export class KeepGivenAddresses1795470000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppressions ADD COLUMN given_address text');
    await runner.query(`
      ALTER TABLE suppressions ADD CONSTRAINT ck_suppressions_given_address
        CHECK (address IS NOT NULL OR given_address IS NULL) NOT VALID`);
    await runner.query('ALTER TABLE suppressions VALIDATE CONSTRAINT ck_suppressions_given_address');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppressions DROP COLUMN given_address');
  }
}
